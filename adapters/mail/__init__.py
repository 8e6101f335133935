"""Outgoing mail. See `port` for the promises."""
