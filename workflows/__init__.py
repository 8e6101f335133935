"""Temporal workflows and their clients."""
