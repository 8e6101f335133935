"""The browser of the demonstration."""

from collections.abc import Callable
from urllib.parse import parse_qs

import httpx
import pytest

from cli.demo.browser import Answer, Browser
from cli.output import DemoFailed

URL = "http://sign.example.com/sign/abc"
FORM = """
<form method="post" action="/signing/1">
  <input type="hidden" name="csrf" value="token&amp;1"><input type="text" name="f/city">
  <input type="checkbox" name="f/agree" value="true"><input type="checkbox" name="f/news" value="true" checked>
  <input type="radio" name="kind" value="typed" checked><input type="radio" name="kind" value="drawn">
  <textarea name="f/note">
first
second</textarea>
  <select name="f/fund">
    <option value="">Choose</option><option value="A">A</option><option value="B" selected>B</option>
  </select>
  <input type="checkbox" name="f/day" value="Mon" checked><input type="checkbox" name="f/day" value="Tue" checked>
  <input type="checkbox" name="f/day" value="Wed">
  <input type="submit" name="go" value="Go">
</form>
"""


def browser(answer: Callable[[httpx.Request], httpx.Response]) -> Browser:
    return Browser(httpx.MockTransport(answer))


def showing(html: str, status: int = 200) -> Browser:
    return browser(lambda _: httpx.Response(status, html=html))


def test_a_form_posts_what_it_holds_and_what_was_filled_in() -> None:
    posted: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            posted.append(request)
        return httpx.Response(200, html=FORM)

    with browser(answer) as visitor:
        visitor.submit(
            visitor.open(URL), {"f/city": "Łódź", "f/agree": "true", "kind": "drawn", "f/day": ["Mon", "Wed"]}
        )

    assert str(posted[0].url) == "http://sign.example.com/signing/1"
    assert posted[0].headers["origin"] == "http://sign.example.com"
    assert parse_qs(posted[0].content.decode()) == {
        "csrf": ["token&1"],
        "f/city": ["Łódź"],
        "f/agree": ["true"],
        "f/news": ["true"],
        "kind": ["drawn"],
        "f/note": ["first\nsecond"],
        "f/fund": ["B"],
        "f/day": ["Mon", "Wed"],
    }


def test_a_form_has_the_values_and_choices_of_the_page() -> None:
    with showing(FORM) as visitor:
        form = visitor.open(URL).form()

    assert "f/agree" not in form.values
    assert "f/agree" in form.names
    assert form.values["f/day"] == ["Mon", "Tue"]
    assert form.values["f/fund"] == ["B"]
    assert form.choices["f/fund"] == ["", "A", "B"]


def test_cookies_and_redirects_are_followed() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/sign/abc" and request.method == "POST":
            return httpx.Response(303, headers={"Location": "/signing/1", "Set-Cookie": "visit=1"})
        return httpx.Response(200, html="<form method=post></form>" if request.url.path == "/sign/abc" else FORM)

    with browser(answer) as visitor:
        page = visitor.submit(visitor.open(URL), {})

    assert page.url == "http://sign.example.com/signing/1"


def test_alerts_of_a_page_are_read() -> None:
    html = '<p>Hello</p><div role="alert"><h2>Wrong</h2><div>Tick the box.</div></div><div>Else</div>'
    with showing(html) as visitor:
        assert visitor.open(URL).alerts == "Wrong Tick the box."


@pytest.mark.parametrize(
    ("html", "status", "values", "words"),
    [
        ("<h1>No longer available</h1>", 410, {}, "answered 410: No longer available"),
        (FORM, 200, {"f/street": "x"}, "no input called f/street"),
        (FORM, 200, {"f/day": ["Mon", "Sun"]}, "does not offer Sun"),
        ("<p>Signed.</p>", 200, {}, "no form"),
    ],
)
def test_the_demonstration_ends_with_the_reason(html: str, status: int, values: dict[str, Answer], words: str) -> None:
    with showing(html, status) as visitor, pytest.raises(DemoFailed, match=words):
        visitor.submit(visitor.open(URL), values)


def test_a_request_is_sent_again_after_retry_after() -> None:
    answers = [httpx.Response(503, headers={"Retry-After": "0"}, html="One moment"), httpx.Response(200, html=FORM)]
    with browser(lambda _: answers.pop(0)) as visitor:
        assert visitor.open(URL).form().action == "/signing/1"
