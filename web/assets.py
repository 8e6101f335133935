"""Style sheets, scripts, icons and fonts, under addresses with the hash of their content; and `/embed.js`.

The fonts are those of the documents, subset to Latin, Greek and Cyrillic. `/embed.js` shows signing pages on other
sites.
"""

import gzip
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

from layout.text.font_subset import WEB_WEIGHTS, web_font
from layout.text.fonts import Face

_RANGES = (
    (0x20, 0x7E), (0xA0, 0x17F), (0x218, 0x21B), (0x370, 0x3FF), (0x400, 0x45F), (0x490, 0x491), (0x1EA0, 0x1EF9),
    (0x2010, 0x2026), (0x2030, 0x203A), (0x20AC, 0x20AC), (0x2122, 0x2122), (0x2190, 0x2193), (0x2212, 0x2212),
    (0x2713, 0x2713),
)  # fmt: skip
"""First and last code points of the characters. Browsers show other characters in a font of the device."""

_FEATURES = ("ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum")
_FILES: Mapping[str, Face] = {"regular.ttf": Face.REGULAR, "bold.ttf": Face.BOLD}


def font_files() -> Mapping[str, bytes]:
    """Returns the TrueType files by their names."""
    characters = frozenset(code for first, last in _RANGES for code in range(first, last + 1))
    return {name: web_font(face, characters, _FEATURES) for name, face in _FILES.items()}


def font_css(url: Callable[[str], str]) -> bytes:
    """Returns the CSS that declares the family `Undersign`. `url` returns the address of a font by its name.

    A browser that has not loaded the fonts in time uses a font of the device for this page (`font-display: optional`).
    A later change of the font would move the button that a reader is about to press.
    """
    ranges = ", ".join(f"U+{first:X}-{last:X}" for first, last in _RANGES)
    rules = (
        f'@font-face {{ font-family: "Undersign"; font-weight: {WEB_WEIGHTS[face]}; font-display: optional; '
        f"src: url({url(name)}); unicode-range: {ranges}; }}\n"
        for name, face in _FILES.items()
    )
    return "".join(rules).encode()


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


_EMBED_HEADERS = {
    # The address never changes, so browsers may cache the script for an hour only.
    "Cache-Control": "public, max-age=3600",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
}
_SCRIPT, _DECLARATIONS = ((_DIRECTORY / name).read_bytes() for name in ("embed.js", "embed.d.ts"))

embed_router = APIRouter(include_in_schema=False)


@embed_router.get("/embed.js")
async def read_script() -> Response:
    return Response(_SCRIPT, media_type="text/javascript", headers=_EMBED_HEADERS)


@embed_router.get("/embed.d.ts")
async def read_types() -> Response:
    return Response(_DECLARATIONS, media_type="text/plain", headers=_EMBED_HEADERS)
