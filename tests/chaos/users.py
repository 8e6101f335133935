"""An API client and recipients, who try again when nobody answers, as people and programs do."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from email import message_from_bytes
from email.policy import default
from http import HTTPStatus
from pathlib import Path
from threading import Event, Lock
from time import monotonic, sleep
from typing import Any, TypeVar

import httpx

from cli.demo.browser import Browser
from cli.errors import DemoFailed
from tests.chaos.cluster import Client

WAIT_SECONDS = 180.0
"""Seconds after the last fault, after which something that should go on counts as stuck."""

FAULTS_OVER = Event()
"""Set when no more faults come."""

_PAUSE = 0.25

T = TypeVar("T")
Answer = dict[str, Any]


class Stuck(Exception):
    """What should have gone on by itself did not."""


class Inconsistency(Exception):
    """The service answered what cannot be, after what it answered before."""


def eventually(look: Callable[[], T | None], what: str) -> T:
    """What `look` finds as soon as it finds anything. While faults go on, nothing counts as stuck."""
    deadline: float | None = None
    while (found := look()) is None:
        if deadline is None and FAULTS_OVER.is_set():
            deadline = monotonic() + WAIT_SECONDS
        if deadline is not None and monotonic() > deadline:
            raise Stuck(what)
        sleep(_PAUSE)
    return found


class ApiClient:
    """Calls the API until it gets an answer that says yes or no."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.older = 0
        """Reads that showed an older state than one before."""
        self._seen: dict[str, str] = {}
        self._http = httpx.Client(base_url=client.url, trust_env=False, timeout=20)

    def call(
        self, method: str, path: str, *, also: Collection[int] = (), done: str | None = None, **options: Any
    ) -> httpx.Response:
        """The first answer that is a success or one of the statuses in `also`. Everything else contradicts.

        `done` is the code that says that it was done before: a yes, when the answer to an earlier try was lost.
        """
        tries = 0

        def answer() -> httpx.Response | None:
            nonlocal tries
            tries += 1
            with suppress(httpx.TransportError):
                if "Authorization" not in self._http.headers and not self._sign_in():
                    return None
                got = self._http.request(method, path, **options)
                if got.is_success or got.status_code in also:
                    return got
                if tries > 1 and done is not None and got.json().get("error") == done:
                    return got
                if got.status_code == HTTPStatus.UNAUTHORIZED:
                    del self._http.headers["Authorization"]
                elif got.status_code < HTTPStatus.INTERNAL_SERVER_ERROR and not _says_later(got):
                    raise Inconsistency(f"{method} {path} answered {got.status_code}: {got.text[:300]}")
                elif got.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
                    raise Inconsistency(f"{method} {path} crashed: {got.text[:300]}")
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

    def _sign_in(self) -> bool:
        answer = self._http.post(
            "/oidc/token",
            data={"grant_type": "client_credentials"},
            auth=(self._client.client_id, self._client.client_secret),
        )
        if answer.is_success:
            self._http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        return answer.is_success


_LATER = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})


def _says_later(answer: httpx.Response) -> bool:
    return answer.status_code in _LATER or (
        answer.status_code == HTTPStatus.CONFLICT and answer.json().get("error") == "IDEMPOTENCY_IN_PROGRESS"
    )


class Outbox:
    """The mails that have left, read as they come, once for all who ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mails: dict[str, tuple[str, str]] = {}
        self._invitations: dict[str, tuple[str, str]] = {}
        self._look_at = 0.0
        self._lock = Lock()

    def mails(self) -> list[tuple[str, str]]:
        """Message-ID and link of each."""
        self._look()
        return list(self._mails.values())

    def link(self, session_id: str, recipient_id: str) -> str | None:
        """The latest invitation's, None while there is none."""
        self._look()
        found = self._invitations.get(f"invitation.{session_id}.{recipient_id}")
        return found and found[1]

    def _look(self) -> None:
        with self._lock:
            if monotonic() >= self._look_at:
                self._read_new()
                self._look_at = monotonic() + _PAUSE / 2

    def _read_new(self) -> None:
        for path in self._folder.glob("*.eml"):
            if path.name not in self._mails:
                message = message_from_bytes(path.read_bytes(), policy=default)
                body = message.get_body(("plain",))
                words = str(body.get_content()).split() if body else []
                link = next((word for word in words if "/sign/" in word), "")
                message_id = str(message["Message-ID"]).strip("<>")
                self._mails[path.name] = mail = message_id, link
                to = message_id.partition("@")[0].rpartition(".")[0]
                self._invitations[to] = max(mail, self._invitations.get(to, mail))


class Recipient:
    """A recipient at a browser, with the link from the mail. `has_acted` says what the API knows of them."""

    def __init__(self, link: str, name: str, has_acted: Callable[[], bool]) -> None:
        self._link, self._name, self._has_acted = link, name, has_acted

    def sign(self) -> None:
        """Until the service said so, or the API shows it: an answer may be lost when its work is done."""
        self._until_done(self._fill_in_and_sign, "sign")

    def decline(self, reason: str) -> None:
        """As `sign`, for somebody who does not want to."""
        self._until_done(lambda browser: self._give_a_reason(browser, reason), "decline")

    def _fill_in_and_sign(self, browser: Browser) -> None:
        documents = browser.submit(browser.open(self._link), {})
        form = documents.form()
        fields = {name: "as agreed" for name, values in form.values.items() if "/" in name and values == [""]}
        signature = {"signatureKind": "typed", "signatureText": self._name}
        done = browser.submit(documents, {**fields, **signature, "consent": form.choices.get("consent", [])})
        if done.alerts:
            raise Inconsistency(f"what {self._name} handed in was refused: {done.alerts}")

    def _give_a_reason(self, browser: Browser, reason: str) -> None:
        documents = browser.submit(browser.open(self._link), {})
        page = browser.open(f"{documents.url}/decline")
        done = browser.submit(page, {"reason": reason})
        if done.alerts:
            raise Inconsistency(f"the reason of {self._name} was refused: {done.alerts}")

    def _until_done(self, act: Callable[[Browser], None], what: str) -> None:
        def tried() -> bool | None:
            try:
                with Browser() as browser:
                    act(browser)
            except (httpx.TransportError, DemoFailed):
                return True if self._has_acted() else None
            return True

        eventually(tried, f"{self._name} cannot {what}")


def ids_of(session: Answer) -> Mapping[str, str]:
    """The identifiers of recipients by key."""
    return {recipient["key"]: recipient["recipientId"] for recipient in session["recipients"]}
