"""Mails: their templates and texts."""
