"""Every form, with inputs missing or odd: a page or a refusal, never an internal error."""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from tests.web.every_form import APP_FORMS, OTHERS, Place

ODD = ("", "9" * 5_000, "a\0b", "-1", "1e999", "\u202e", "<b>", "x" * 20_000, "e" + "\u0301" * 2_000, "{}")
FORMS = {**APP_FORMS, **OTHERS}


def variants(form: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The form with its token alone, without one of its inputs, and with odd values in all of them."""
    token = {name: form[name] for name in ("form", "csrf") if name in form}
    yield token
    for name in form.keys() - token.keys():
        yield {other: value for other, value in form.items() if other != name}
    for odd in ODD:
        yield {**dict.fromkeys(form, odd), **token}


@pytest.mark.parametrize("path", FORMS)
async def test_no_form_without_some_inputs_or_with_odd_ones_is_an_internal_error(path: str) -> None:
    place = Place()
    await place.furnish()
    post = await FORMS[path].prepare(place, path)
    for odd in variants(post.form):
        answer = await post.browser.post(post.path, data=odd)
        assert answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR, (odd, answer.text)
