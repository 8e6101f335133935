"""An API client and recipients, who try again when they get no answer."""

from collections.abc import Callable, Collection
from contextlib import suppress
from http import HTTPStatus
from threading import Event
from time import monotonic, sleep
from typing import Any, TypeVar

import httpx

from cli.demo.browser import Browser, Page
from cli.output import DemoFailed
from tests.chaos.cluster import Client
from tests.load import filled_in
from undersign.auth import TokenAuth

WAIT_SECONDS = 900.0
"""Seconds after the last fault within which everything must go on."""

FAULTS_OVER = Event()
"""Set when no more faults come."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0

T = TypeVar("T")
Answer = dict[str, Any]


class Stuck(Exception):
    """Something did not go on by itself."""


class Inconsistency(Exception):
    """An answer contradicts an earlier one."""


def eventually(look: Callable[[], T | None], what: str) -> T:
    """Returns what `look` finds as soon as it finds anything. Raises `Stuck`, but not while faults go on."""
    deadline, pause = None, _FIRST_PAUSE
    while (found := look()) is None:
        if deadline is None and FAULTS_OVER.is_set():
            deadline = monotonic() + WAIT_SECONDS
        if deadline is not None and monotonic() > deadline:
            raise Stuck(what)
        sleep(pause)
        pause = min(1.3 * pause, _LONGEST_PAUSE)
    return found


class ApiClient:
    """Calls the API until it gets a final answer."""

    def __init__(self, client: Client) -> None:
        self.older = 0
        """Reads that showed an older state than one before."""
        self._seen: dict[str, str] = {}
        auth = TokenAuth(client.url, client.client_id, client.client_secret)
        self._http = httpx.Client(base_url=client.url, auth=auth, trust_env=False, timeout=20)

    def call(
        self, method: str, path: str, *, also: Collection[int] = (), done: str | None = None, **options: Any
    ) -> httpx.Response:
        """Returns the first answer that is a success or has a status in `also`; raises `Inconsistency` for others.

        The code `done` says that an earlier try, whose answer was lost, took effect.
        """
        tries = 0

        def answer() -> httpx.Response | None:
            nonlocal tries
            tries += 1
            with suppress(httpx.TransportError):
                got = self._http.request(method, path, **options)
                if got.is_success or got.status_code in also:
                    return got
                if tries > 1 and done is not None and got.json().get("error") == done:
                    return got
                if got.status_code <= HTTPStatus.INTERNAL_SERVER_ERROR and not _says_later(got):
                    raise Inconsistency(f"{method} {path} answered {got.status_code}: {got.text[:300]}")
            return None

        return eventually(answer, f"{method} {path} gets no answer")

    def session(self, session_id: str) -> Answer:
        seen = self._seen.get(session_id, "")
        found: Answer = self.call("GET", f"/api/v1/Session/{session_id}").json()
        self.older += found["updatedAt"] < seen
        self._seen[session_id] = max(found["updatedAt"], seen)
        return found

    def close(self) -> None:
        self._http.close()


_LATER = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})


def _says_later(answer: httpx.Response) -> bool:
    return answer.status_code in _LATER or (
        answer.status_code == HTTPStatus.CONFLICT and answer.json().get("error") == "IDEMPOTENCY_IN_PROGRESS"
    )


class Recipient:
    """A recipient at a browser, with the link from the mail. `has_acted` asks the API whether they have signed."""

    def __init__(self, link: str, name: str, has_acted: Callable[[], bool]) -> None:
        self._link, self._name, self._has_acted = link, name, has_acted

    def sign(self) -> None:
        """Tries until the page confirms it, or the API shows it: an answer may be lost after its work was done."""
        self._until_done(self._fill_in_and_sign, "sign")

    def decline(self, reason: str) -> None:
        self._until_done(lambda browser: self._give_a_reason(browser, reason), "decline")

    def _fill_in_and_sign(self, browser: Browser) -> None:
        documents = browser.submit(browser.open(self._link), {})
        self._check(browser.submit(documents, filled_in(documents, self._name)))

    def _give_a_reason(self, browser: Browser, reason: str) -> None:
        documents = browser.submit(browser.open(self._link), {})
        self._check(browser.submit(browser.open(f"{documents.url}/decline"), {"reason": reason}))

    def _check(self, page: Page) -> None:
        if page.alerts:
            raise Inconsistency(f"what {self._name} submitted was refused: {page.alerts}")

    def _until_done(self, act: Callable[[Browser], None], what: str) -> None:
        def tried() -> bool | None:
            try:
                with Browser() as browser:
                    act(browser)
            except (httpx.TransportError, DemoFailed):
                return True if self._has_acted() else None
            return True

        eventually(tried, f"{self._name} cannot {what}")
