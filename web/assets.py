"""Styles, scripts and pictures of the pages, under addresses that hold the hash of their content.

A new version has a new address, so browsers may keep every file for ever. All of them are held in memory, packed too:
a page is not painted before its styles are there.
"""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

_DIRECTORY = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}

router = APIRouter()


_BUNDLES: Mapping[str, tuple[str, ...]] = {
    "pages.css": ("base.css", "document.css", "signing.css", "media-queries.css"),
    "signing-page.js": (
        "local-times.js",
        "vendor/signature_pad.umd.min.js",
        "handwriting.js",
        "date-picker.js",
        "signing.js",
        "page-overlay.js",
        "autosave.js",
    ),
}
"""What a page needs in this order, sent as one: each request delays the first paint on a busy telephone."""

_SEPARATORS = {".css": b"\n", ".js": b"\n;\n"}
"""What keeps files apart that are sent as one."""


class _Asset(NamedTuple):
    """A file of ours. `fingerprint`: the first 16 hexadecimal digits of its hash; `packed`: by gzip."""

    content: bytes
    packed: bytes
    media_type: str
    fingerprint: str


def _load(name: str, content: bytes) -> _Asset:
    media_type = _TYPES[Path(name).suffix]
    return _Asset(content, gzip.compress(content, mtime=0), media_type, sha256(content).hexdigest()[:16])


def _load_all() -> Mapping[str, _Asset]:
    """By path below the directory, or by the name of what is sent together."""
    files = {path.relative_to(_DIRECTORY).as_posix(): path for path in _DIRECTORY.rglob("*") if path.suffix in _TYPES}
    read = {name: path.read_bytes() for name, path in files.items()}
    together = {
        name: _SEPARATORS[Path(name).suffix].join(read[part] for part in parts) for name, parts in _BUNDLES.items()
    }
    return {name: _load(name, content) for name, content in {**read, **together}.items()}


_ASSETS = _load_all()


def asset_url(name: str) -> str:
    """The address of a file of ours; an unknown one is a mistake in a template."""
    return f"/assets/{_ASSETS[name].fingerprint}/{name}"


@router.get("/assets/{fingerprint}/{name:path}", include_in_schema=False)
async def read_asset(request: Request, fingerprint: str, name: str) -> Response:
    """One file, if that is its present content. Only known names are looked up: no path leads out."""
    found = _ASSETS.get(name)
    if found is None or found.fingerprint != fingerprint:
        raise HTTPException(404)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.packed, media_type=found.media_type, headers={**_HEADERS, "Content-Encoding": "gzip"})
    return Response(found.content, media_type=found.media_type, headers=_HEADERS)
