"""`/embed.js`, the script by which other sites show signing pages, and its TypeScript declarations."""

from pathlib import Path

from fastapi import APIRouter, Response

_DIRECTORY = Path(__file__).parent / "static"
_HEADERS = {
    # The address never changes, so browsers may cache the script for an hour only.
    "Cache-Control": "public, max-age=3600",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
}
_SCRIPT, _TYPES = ((_DIRECTORY / name).read_bytes() for name in ("embed.js", "embed.d.ts"))

router = APIRouter(include_in_schema=False)


@router.get("/embed.js")
async def read_script() -> Response:
    return Response(_SCRIPT, media_type="text/javascript", headers=_HEADERS)


@router.get("/embed.d.ts")
async def read_types() -> Response:
    return Response(_TYPES, media_type="text/plain", headers=_HEADERS)
