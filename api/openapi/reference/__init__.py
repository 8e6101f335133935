"""`/docs`: the API reference as a page. It loads files of this service only, so it works without internet access."""

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from api.openapi.description import description_of

router = APIRouter(include_in_schema=False)

_OURS = Path(__file__).parent
_SWAGGER = files("fastapi_swagger") / "resources"
_FILES: Mapping[str, tuple[Traversable, str]] = {
    "swagger-ui-bundle.js": (_SWAGGER / "swagger-ui-bundle.js", "text/javascript"),
    "swagger-ui.css": (_SWAGGER / "swagger-ui.css", "text/css"),
    "reference.js": (_OURS / "reference.js", "text/javascript"),
    "reference.css": (_OURS / "reference.css", "text/css"),
    "icon.svg": (_OURS.parents[2] / "web" / "static" / "icon.svg", "image/svg+xml"),
}
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
_HEADERS = {
    "Content-Security-Policy": "; ".join(f"{directive} {sources}" for directive, sources in _POLICY.items()),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@router.get("/openapi.json")
async def read_description(request: Request) -> Response:
    """Returns the OpenAPI description, which browsers of other origins may read."""
    response = JSONResponse(await description_of(request.app), headers={"Access-Control-Allow-Origin": "*"})
    return _cached(request, response)


@router.api_route("/docs", methods=["GET", "HEAD"])
async def show_reference() -> HTMLResponse:
    """Returns the page."""
    return HTMLResponse(
        (_OURS / "reference.html").read_text(encoding="utf-8"), headers={**_HEADERS, "Cache-Control": "no-store"}
    )


@router.api_route("/docs/{name}", methods=["GET", "HEAD"])
async def read_file(request: Request, name: str) -> Response:
    """Returns a file of the page; 404 for names that are not in `_FILES`."""
    if name not in _FILES:
        raise HTTPException(404)
    file, media_type = _FILES[name]
    return _cached(request, Response(file.read_bytes(), media_type=media_type, headers=_HEADERS))


def _cached(request: Request, response: Response) -> Response:
    """Returns `response` with its validator, or 304 if the client has it."""
    etag = f'"{sha256(response.body).hexdigest()[:16]}"'
    known = request.headers.get("if-none-match", "").replace("W/", "").split(",")
    if etag in {one.strip() for one in known}:
        response = Response(status_code=304, headers={**_HEADERS, "Access-Control-Allow-Origin": "*"})
    response.headers.update({"Cache-Control": "no-cache", "ETag": etag})
    return response
