"""Marks messages that other modules translate (`translations`)."""


def marked(message: str) -> str:
    """Returns `message`. `make catalogues` extracts the argument."""
    return message
