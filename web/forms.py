"""Posted forms: same-origin check and parsing."""

import re
from binascii import unhexlify
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import ImmutableMultiDict

from application.off_loop import off_loop
from web.errors import CrossSitePost, NotAForm

MAX_INPUTS = 10_000
"""The largest number of inputs of a form: twice the number in ten documents of 500 blocks."""

_FORM_TYPE = "application/x-www-form-urlencoded"

_ESCAPES = re.compile(rb"(?:%[0-9A-Fa-f]{2})++")


def check_same_origin(request: Request, base_url: str) -> None:
    """Raises `CrossSitePost` if the browser reports another site as the origin of the request.

    The pages forbid referrers, so browsers send `Origin: null`, and `Sec-Fetch-Site` decides. In browsers without
    this header, the secret in the address and the CSRF token in the form protect.
    """
    if not is_own_request(request):
        raise CrossSitePost
    origin = request.headers.get("origin", "null")
    if origin != "null" and urlsplit(origin).netloc not in {urlsplit(base_url).netloc, request.url.netloc}:
        raise CrossSitePost


def is_own_request(request: Request) -> bool:
    """Returns whether a page of this site, or the user, caused the request. True without `Sec-Fetch-Site`."""
    return request.headers.get("sec-fetch-site", "none") in {"same-origin", "none"}


PostedForm = ImmutableMultiDict[str, str]
"""The inputs of a form: `get` returns the last value of a name, `getlist` every value."""


async def read_form(request: Request) -> PostedForm:
    """Returns the posted form; raises `NotAForm` for another type, text that is not UTF-8, or too many inputs."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM_TYPE:
        raise NotAForm
    body = await request.body()
    try:
        return await off_loop(len(body), lambda: _parse(body))
    except ValueError as error:  # not UTF-8, or too many
        raise NotAForm from error


def _parse(body: bytes) -> PostedForm:
    if body.count(b"&") >= MAX_INPUTS:
        raise ValueError(body[:100])
    inputs = (named.partition(b"=") for named in body.split(b"&") if named)
    return PostedForm([(_unescape(name), _unescape(value)) for name, _, value in inputs])


def _unescape(text: bytes) -> str:
    """Returns the text of percent-encoded UTF-8 in which `+` is a space. An incomplete escape stays as it is.

    `urllib.parse.unquote` needs 170 bytes of memory for a byte of escapes; this needs one.
    """
    text = text.replace(b"+", b" ")
    unescaped, end = bytearray(), 0
    for escapes in _ESCAPES.finditer(text):
        unescaped += text[end : escapes.start()]
        unescaped += unhexlify(escapes[0].replace(b"%", b""))
        end = escapes.end()
    unescaped += text[end:]
    return unescaped.decode()
