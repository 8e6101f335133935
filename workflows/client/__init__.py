"""Clients of Temporal. Not replayed: this code may change freely."""
