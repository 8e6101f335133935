"""Posted forms: same-origin check and parsing."""

import asyncio
from urllib.parse import parse_qsl, urlsplit

from fastapi import Request
from starlette.datastructures import ImmutableMultiDict

from web.errors import CrossSitePost, NotAForm

MAX_INPUTS = 10_000
"""Inputs of a form: twice those of ten documents of five hundred blocks."""

_SMALL = 64_000
"""Bytes. Larger forms are parsed in a thread."""

_FORM_TYPE = "application/x-www-form-urlencoded"


def check_same_origin(request: Request, base_url: str) -> None:
    """Raises `CrossSitePost` when the browser reports another site as the origin of the post.

    The pages forbid referrers, so browsers send `Origin: null`, and `Sec-Fetch-Site` decides. Without it, the secret in
    the address and the token in the form protect.
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
        # In a thread: parsing a large form of escaped characters takes half a second.
        return await asyncio.to_thread(_parse, body) if len(body) > _SMALL else _parse(body)
    except ValueError as error:  # not UTF-8, or too many
        raise NotAForm from error


def _parse(body: bytes) -> PostedForm:
    return PostedForm(parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_INPUTS))
