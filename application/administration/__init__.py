"""Administers one organisation: its users, API clients, names and settings."""
