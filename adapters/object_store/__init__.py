"""Immutable objects by name. See `port` for the promises."""
