"""Which names objects may have: relative paths of plain characters, so that no name means more than itself."""

import re

_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def check_name(name: str) -> str:
    """`name`, if it is one; raises `ValueError` otherwise."""
    if not all(_PART.fullmatch(part) for part in name.split("/")):
        raise ValueError(f"not the name of an object: {name!r}")
    return name


def check_prefix(prefix: str) -> str:
    """`prefix`, if it names a whole folder; raises `ValueError` otherwise."""
    if not prefix.endswith("/"):
        raise ValueError(f"a prefix ends with a slash: {prefix!r}")
    check_name(prefix[:-1])
    return prefix
