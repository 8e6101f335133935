"""File names in file systems and in the header `Content-Disposition` (RFC 6266)."""

import re
from urllib.parse import quote

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_MAX_LENGTH = 120


def safe_file_name(title: str, suffix: str = ".pdf") -> str:
    """`title` as a file name: what some system refuses in names is replaced by a hyphen."""
    stem = _UNSAFE.sub("-", title).strip(" .-")[:_MAX_LENGTH].rstrip(" .")
    return f"{stem or 'document'}{suffix}"


def with_pdf(name: str) -> str:
    """`name` with `.pdf` at its end."""
    return name if name.lower().endswith(".pdf") else f"{name}.pdf"


def attachment(file_name: str) -> str:
    """Of a download: the exact name, and one in ASCII for old clients."""
    return _disposition("attachment", file_name)


def inline(file_name: str) -> str:
    """Of what browsers show; the name is for when it is saved."""
    return _disposition("inline", file_name)


def _disposition(kind: str, file_name: str) -> str:
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", file_name)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(file_name, safe='')}"
