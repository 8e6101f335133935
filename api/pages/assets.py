"""Styles, scripts and pictures of the pages, under addresses that hold the hash of their content.

A new version has a new address, so browsers may keep every file for ever.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse

_DIRECTORY = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}

router = APIRouter()


def _fingerprints() -> Mapping[str, str]:
    """The first 16 hexadecimal digits of each file's hash, by its path below the directory."""
    files = (path for path in sorted(_DIRECTORY.rglob("*")) if path.suffix in _TYPES)
    return {path.relative_to(_DIRECTORY).as_posix(): sha256(path.read_bytes()).hexdigest()[:16] for path in files}


_FINGERPRINTS = _fingerprints()


def asset(name: str) -> str:
    """The address of a file of ours; an unknown one is a mistake in a template."""
    return f"/assets/{_FINGERPRINTS[name]}/{name}"


@router.get("/assets/{fingerprint}/{name:path}", include_in_schema=False)
async def read_asset(fingerprint: str, name: str) -> FileResponse:
    """One file, if that is its present content. Only known names are looked up: no path leads out."""
    if _FINGERPRINTS.get(name) != fingerprint:
        raise HTTPException(404)
    return FileResponse(_DIRECTORY / name, media_type=_TYPES[Path(name).suffix], headers=_HEADERS)
