"""Validators of responses (RFC 9110, 8.8.3): a client that names the `ETag` it has gets 304 without the body."""

import re
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from application.off_loop import off_loop
from web.asgi.middleware import HttpMiddleware

_JSON = "application/json"
_DOWNLOADS = "/objects/"
_PATHS = ("/api/v1/", _DOWNLOADS)
_SIGNED_URLS = re.compile(r"/api/v1/Session/[^/]+/Documents?\b")
"""Responses with pre-signed URLs, which differ each time."""

_ABOUT_BODY = {"content-length", "content-type", "content-disposition"}
"""Headers about a body, which a response without one does not have."""


class ConditionalReads(HttpMiddleware):
    """Gives JSON responses of the API and downloads an `ETag` of their content, and compares `If-None-Match` with it.

    A certificate and a list of pre-signed URLs have none: they are made for each request. Reads are authorised,
    counted and recorded as without it.
    """

    async def respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET" or not scope["path"].startswith(_PATHS) or _SIGNED_URLS.match(scope["path"]):
            await self.app(scope, receive, send)
            return
        started: list[Message] = []

        async def send_conditionally(message: Message) -> None:
            if message["type"] == "http.response.start" and _has_validator(scope, message):
                started.append(message)
                return
            if started and message["type"] == "http.response.body":
                start, body = started.pop(), message.get("body", b"")
                if not message.get("more_body"):
                    etag = f'"{await off_loop(len(body), lambda: sha256(body).hexdigest()[:32])}"'
                    MutableHeaders(scope=start)["ETag"] = etag
                    if etag in _known(scope):
                        kept = [pair for pair in start["headers"] if pair[0].decode() not in _ABOUT_BODY]
                        start, message = {**start, "status": 304, "headers": kept}, {**message, "body": b""}
                await send(start)
            await send(message)

        await self.app(scope, receive, send_conditionally)


def _has_validator(scope: Scope, start: Message) -> bool:
    is_json = Headers(scope=start).get("content-type", "").startswith(_JSON)
    return start["status"] == 200 and (is_json or scope["path"].startswith(_DOWNLOADS))


def _known(scope: Scope) -> set[str]:
    """Returns the validators in `If-None-Match`. A proxy that compresses a response makes its validator weak."""
    named = ",".join(Headers(scope=scope).getlist("if-none-match"))
    return {one.strip().removeprefix("W/") for one in named.split(",")}
