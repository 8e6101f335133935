"""Posted forms: from our own pages only, small, and as plain text by name."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from fastapi import Request

from api.pages.refusals import CrossSite, FormNotForm, FormTooLarge

MAX_FORM = 1_000_000
"""Bytes of a whole form: 500 short texts and a drawing fit well."""

MAX_INPUTS = 10_000
"""Inputs of a form: ten documents of five hundred blocks, twice."""

_FORM_TYPE = "application/x-www-form-urlencoded"


def check_same_origin(request: Request, base_url: str) -> None:
    """Raises `CrossSite` when a browser says that another site made it post.

    Our own pages forbid referrers, and so browsers send `Origin: null` with their forms: then `Sec-Fetch-Site`
    decides. Browsers that are too old to send it, and all of them over plain http, leave both open; the secret in the
    address and the token in the form stand against other sites there.
    """
    site = request.headers.get("sec-fetch-site", "none")
    if site not in {"same-origin", "none"}:
        raise CrossSite
    origin = request.headers.get("origin", "null")
    if origin != "null" and urlsplit(origin).netloc not in {urlsplit(base_url).netloc, request.url.netloc}:
        raise CrossSite


async def read_form(request: Request) -> Mapping[str, str]:
    """The inputs by name; of several with one name the last.

    Line breaks become spaces: every input of ours is a single line.

    Raises:
        FormNotForm: the body is of another type, or has more inputs than any form of ours.
        FormTooLarge: the body is larger than `MAX_FORM`.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM_TYPE:
        raise FormNotForm
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM:
            raise FormTooLarge
    try:
        inputs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_INPUTS)
    except ValueError as error:  # not UTF-8, or too many
        raise FormNotForm from error
    return {name: " ".join(value.splitlines()) for name, value in inputs}
