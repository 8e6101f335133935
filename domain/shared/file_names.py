"""Names of downloaded files, safe in file systems, and the header `Content-Disposition` (RFC 6266)."""

import re
from pathlib import PurePath
from urllib.parse import quote

from domain.texts.code_points import DIRECTION_CONTROLS
from domain.texts.combining_marks import normalized

_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028\u2029<>:"/\\|?*]+')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)", re.IGNORECASE)
"""Names of devices, which Windows takes for no file, with whatever suffix."""

_WITHOUT_DIRECTIONS = dict.fromkeys(map(ord, DIRECTION_CONTROLS))
_MAX_LENGTH = 120
_MAX_BYTES = 200
"""Limits of characters and of UTF-8 bytes; file systems take 255 bytes, and programs add numbers and suffixes."""

_MAX_NAME_BYTES, _MAX_SUFFIX = 255, 20
"""Bytes of a name that file systems take, and characters of what counts as its suffix."""


def safe_file_name(title: str, end: str = "") -> str:
    """Returns `title` as the name of a PDF that all systems accept, with hyphens in place of refused characters.

    `end` follows the title, which is shortened in its favour. It is ASCII.
    """
    stem = _UNSAFE.sub("-", title.translate(_WITHOUT_DIRECTIONS)).strip(" .-")[: _MAX_LENGTH - len(end)]
    stem = stem.encode()[: _MAX_BYTES - len(end)].decode(errors="ignore").rstrip(" .")
    return f"{'document-' if _RESERVED.match(stem + end) else ''}{stem or 'document'}{end}.pdf"


def free_name(name: str, taken: set[str]) -> str:
    """Returns `name` in at most 255 bytes, with a number if it is in `taken`, and adds it to `taken`.

    Names are equal in any case of letters and in any Unicode form, as some file systems compare them.
    """
    path, number = PurePath(name), 1
    stem, suffix = (path.stem, path.suffix) if len(path.suffix) <= _MAX_SUFFIX else (name, "")
    free = _fitting(stem, suffix)
    while (compared := normalized("NFC", free).casefold()) in taken:
        number += 1
        free = _fitting(stem, f" ({number}){suffix}")
    taken.add(compared)
    return free


def _fitting(stem: str, end: str) -> str:
    return stem.encode()[: _MAX_NAME_BYTES - len(end.encode())].decode(errors="ignore") + end


def certificate_name(session_name: str) -> str:
    """Returns the file name of the certificate of a session with that name."""
    return safe_file_name(session_name, " - certificate of completion")


def with_pdf(name: str) -> str:
    """Returns `name` with the suffix `.pdf`."""
    return name if name.lower().endswith(".pdf") else f"{name}.pdf"


def attachment(file_name: str) -> str:
    """Returns the header value of a download: the name without direction overrides, and an ASCII name."""
    return _disposition("attachment", file_name)


def inline(file_name: str) -> str:
    """Returns the header value of a file that browsers show. The name is used when it is saved."""
    return _disposition("inline", file_name)


def _disposition(kind: str, file_name: str) -> str:
    file_name = file_name.translate(_WITHOUT_DIRECTIONS)
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", file_name)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(file_name, safe='')}"
