"""Sends callbacks over HTTP, to public addresses only."""
