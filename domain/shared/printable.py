"""Texts of untrusted origin, such as names in files and names of files, for a terminal or a report."""

UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    """Returns `text` on one line: line breaks, control characters and marks of direction are replaced."""
    return "".join(sign if sign.isprintable() else UNPRINTABLE for sign in text)
