"""Which names objects may have: relative paths of plain characters, so that no name means more than itself."""

import re

_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def check_name(name: str) -> str:
    """Returns `name` if it is valid; raises `ValueError` otherwise."""
    if not _is_name(name):
        raise ValueError(f"not the name of an object: {name!r}")
    return name


def check_prefix(prefix: str) -> str:
    """Returns `prefix` if it names a whole folder; raises `ValueError` otherwise."""
    if not prefix.endswith("/") or not _is_name(prefix[:-1]):
        raise ValueError(f"not the prefix of a folder: {prefix!r}")
    return prefix


def _is_name(text: str) -> bool:
    return all(_PART.fullmatch(part) for part in text.split("/"))
