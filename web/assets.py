"""Style sheets, scripts, icons and fonts, under addresses with the hash of their content."""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

from web.fonts import font_css, font_files

_DIRECTORY = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain",
}
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}

router = APIRouter()


_BUNDLES: Mapping[str, tuple[str, ...]] = {
    "pages.css": ("base.css", "document.css", "inputs.css", "signing.css", "narrow-and-print.css"),
    "signing-page.js": (
        "local-times.js",
        "vendor/signature_pad.umd.min.js",
        "signature-canvas.js",
        "date-picker.js",
        "submit-once.js",
        "signing.js",
        "page-inputs.js",
        "autosave.js",
    ),
    "approval-page.js": ("local-times.js", "submit-once.js", "page-inputs.js"),
}
"""Files that are served as one file, joined in this order, to save requests before the first paint."""

_SEPARATORS = {".css": b"\n", ".js": b"\n;\n"}


class _Asset(NamedTuple):
    """A file. `fingerprint`: the first 16 hexadecimal digits of its SHA-256; `gzipped`: the compressed content."""

    content: bytes
    gzipped: bytes
    media_type: str
    fingerprint: str


def _url(name: str, asset: _Asset) -> str:
    return f"/assets/{asset.fingerprint}/{name}"


def _load(name: str, content: bytes) -> _Asset:
    media_type = _TYPES[Path(name).suffix]
    return _Asset(content, gzip.compress(content, mtime=0), media_type, sha256(content).hexdigest()[:16])


def _load_all() -> Mapping[str, _Asset]:
    files = {path.relative_to(_DIRECTORY).as_posix(): path for path in _DIRECTORY.rglob("*") if path.suffix in _TYPES}
    read = {name: path.read_bytes() for name, path in files.items()}
    together = {
        name: _SEPARATORS[Path(name).suffix].join(read[part] for part in parts) for name, parts in _BUNDLES.items()
    }
    fonts = {name: _load(name, content) for name, content in font_files().items()}
    together["pages.css"] = font_css(lambda name: _url(name, fonts[name])) + together["pages.css"]
    return fonts | {name: _load(name, content) for name, content in {**read, **together}.items()}


_ASSETS = _load_all()


def asset_url(name: str) -> str:
    """Returns the address of a file; raises `KeyError` for an unknown name."""
    return _url(name, _ASSETS[name])


@router.get("/assets/{fingerprint}/{name:path}", include_in_schema=False)
async def read_asset(request: Request, fingerprint: str, name: str) -> Response:
    """Returns a file; 404 unless `fingerprint` is that of the file. Names are never used as paths."""
    asset = _ASSETS.get(name)
    if asset is None or asset.fingerprint != fingerprint:
        raise HTTPException(404)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.gzipped, media_type=asset.media_type, headers={**_HEADERS, "Content-Encoding": "gzip"})
    return Response(asset.content, media_type=asset.media_type, headers=_HEADERS)
