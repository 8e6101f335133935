"""UserForm forms: from our own pages only, small, and as plain text by name."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from fastapi import Request

from web.errors import CrossSitePost, NotAForm

MAX_INPUTS = 10_000
"""Inputs of a form: ten documents of five hundred blocks, twice."""

_SMALL = 64_000
"""Bytes of a form that is parsed at once."""

_FORM_TYPE = "application/x-www-form-urlencoded"


def check_same_origin(request: Request, base_url: str) -> None:
    """Raises `CrossSitePost` when a browser says that another site made it post.

    Our own pages forbid referrers, and so browsers send `Origin: null` with their forms: then `Sec-Fetch-Site`
    decides. Browsers that are too old to send it, and all of them over plain http, leave both open; the secret in the
    address and the token in the form stand against other sites there.
    """
    if not is_own_request(request):
        raise CrossSitePost
    origin = request.headers.get("origin", "null")
    if origin != "null" and urlsplit(origin).netloc not in {urlsplit(base_url).netloc, request.url.netloc}:
        raise CrossSitePost


def is_own_request(request: Request) -> bool:
    """Whether a page of ours, or the person by hand, made the browser ask; a link on another site has it say so.

    Browsers that are too old to say, and all of them over plain http, are taken at their word.
    """
    return request.headers.get("sec-fetch-site", "none") in {"same-origin", "none"}


class PostedForm(Mapping[str, str]):
    """The inputs of a form by name; of several with one name the last, unless all are asked for."""

    def __init__(self, inputs: Iterable[tuple[str, str]]) -> None:
        self._inputs: dict[str, list[str]] = {}
        for name, value in inputs:
            self._inputs.setdefault(name, []).append(value)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of that name, in the order of the form; none when no such input was posted."""
        return tuple(self._inputs.get(name, ()))

    def __getitem__(self, name: str) -> str:
        return self._inputs[name][-1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._inputs)

    def __len__(self) -> int:
        return len(self._inputs)


async def read_form(request: Request) -> PostedForm:
    """The form in the body of `request`.

    Raises:
        NotAForm: the body is of another type, or has more inputs than any form of ours.
        FormTooLarge: the body is larger than this page takes.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM_TYPE:
        raise NotAForm
    body = await request.body()
    try:
        # In a thread: a large form of escaped characters takes half a second.
        return await asyncio.to_thread(_parse, body) if len(body) > _SMALL else _parse(body)
    except ValueError as error:  # not UTF-8, or too many
        raise NotAForm from error


def _parse(body: bytes) -> PostedForm:
    return PostedForm(parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_INPUTS))
