"""File names that every system takes."""

import re

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_MAX_LENGTH = 120


def safe_file_name(title: str, suffix: str = ".pdf") -> str:
    """`title` as a file name: what some system refuses in names is replaced by a hyphen."""
    stem = _UNSAFE.sub("-", title).strip(" .-")[:_MAX_LENGTH].rstrip(" .")
    return f"{stem or 'document'}{suffix}"


def with_pdf(name: str) -> str:
    """`name` with `.pdf` at its end."""
    return name if name.lower().endswith(".pdf") else f"{name}.pdf"
