"""Signing sessions: created, sent, read, archived, downloaded, repaired."""
