"""How browsers are told the name of a file: the header `Content-Disposition` (RFC 6266)."""

import re
from urllib.parse import quote


def attachment(file_name: str) -> str:
    """Of a download: the exact name, and one in ASCII for old clients."""
    return _disposition("attachment", file_name)


def inline(file_name: str) -> str:
    """Of what browsers show; the name is for when it is saved."""
    return _disposition("inline", file_name)


def _disposition(kind: str, file_name: str) -> str:
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", file_name)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(file_name, safe='')}"
