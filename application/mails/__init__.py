"""Emails: their texts, and how a template becomes a message."""
