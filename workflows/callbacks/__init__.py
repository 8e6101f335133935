"""Workflows of callbacks. Temporal replays this code."""
