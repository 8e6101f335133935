"""A whole embedded installation of one revision, and sessions of two recipients on it, over HTTP alone."""

from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any, Self
from uuid import uuid4

import httpx

from cli.demo.browser import Browser
from tests.bench.outbox import Outbox
from tests.bench.processor_time import tree_seconds
from tests.bench.revisions import command_of
from tests.end_to_end.installation import Installation
from tests.http_requests import PATIENCE

_NAMES = {"client": "Ada Lovelace", "supplier": "Grace Hopper"}
_TEXT = "The supplier maintains the machines that the client has named, and answers within one working day. " * 3
_LOOK_EVERY = 0.05
_QUIET_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Lived:
    """One session that came to its signed document. Seconds that somebody waited for an answer, by what it was for."""

    session_id: str
    created: float
    opened: tuple[float, ...]
    """From the link to the documents on the screen: the invitation, its button, the page with the form."""
    signed: tuple[float, ...]
    """From the button to the page that confirms it."""


class Service:
    """The tree at `root`, started as a user does, with its data in `folder`. `callback_url` is for all sessions."""

    def __init__(self, root: Path, folder: Path, callback_url: str | None = None) -> None:
        self._installation = Installation(folder, PYTHONPATH=str(root), UNDERSIGN_POOL_PROCESSES="2")
        self._installation.command = command_of(root)
        self._callback_url = callback_url

    def start(self) -> None:
        dev_info = self._installation.start()
        self.temporal_address = dev_info.temporal_address
        self._outbox = Outbox(dev_info.outbox_dir)
        self._url, self._access = dev_info.api_url, (dev_info.client_id, dev_info.client_secret)

    def stop(self) -> None:
        """Has no effect on one that does not run."""
        if self._installation.is_running:
            self._installation.stop()

    def processor_seconds(self) -> float:
        """Of all its processes since it was started."""
        return tree_seconds(self._installation.process_id)

    def wait_until_quiet(self) -> None:
        """Returns when nothing is left to do at once, so that what is measured next has the machine for itself."""
        before = self.processor_seconds()
        sleep(_QUIET_SECONDS)
        while (after := self.processor_seconds()) - before > _QUIET_SECONDS / 10:
            before = after
            sleep(_QUIET_SECONDS)

    def client(self) -> "ApiClient":
        """A client of the API with connections of its own."""
        return ApiClient(self._url, self._access)

    def live(self, client: "ApiClient") -> Lived:
        """One session: created and sent at once, opened and signed by each recipient in order, generated."""
        number = uuid4().hex
        people = {key: f"{key}-{number}@example.com" for key in _NAMES}
        session_id, created = client.create(_session(people, self._callback_url))
        opened, signed = [], []
        for key, address in people.items():
            invitation, *_ = self._outbox.wait_for_mails(address, 1)
            link = next(word for word in invitation.split() if "/sign/" in word)
            for seconds, kept in zip(_sign(link, _NAMES[key]), (opened, signed), strict=True):
                kept.append(seconds)
        # The second mail to each says that the documents are there, and costs the service nothing to wait for.
        for address in people.values():
            self._outbox.wait_for_mails(address, 2)
        client.wait_until_generated(session_id)
        return Lived(session_id, created, tuple(opened), tuple(signed))


class ApiClient:
    """Calls the API with an access token."""

    def __init__(self, url: str, access: tuple[str, str]) -> None:
        self._http = httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE)
        answer = self._http.post("/oidc/token", data={"grant_type": "client_credentials"}, auth=access)
        self._http.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['access_token']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def create(self, session: dict[str, Any]) -> tuple[str, float]:
        """The identifier of the new session, and the seconds until it was answered."""
        began = perf_counter()
        answer = self._http.post("/api/v1/Session", json=session, headers={"Idempotency-Key": uuid4().hex})
        seconds = perf_counter() - began
        assert answer.is_success, answer.text
        return str(answer.json()["sessionId"]), seconds

    def wait_until_generated(self, session_id: str) -> None:
        deadline = monotonic() + PATIENCE
        while (status := self._status(session_id)) != "completedAndGenerated":
            assert monotonic() < deadline, f"the session is {status}"
            sleep(_LOOK_EVERY)

    def _status(self, session_id: str) -> str:
        answer = self._http.get(f"/api/v1/Session/{session_id}")
        return str(answer.raise_for_status().json()["status"])


class Stopwatch(httpx.BaseTransport):
    """Plain HTTP. `seconds` is what all answers together have taken to be there whole."""

    def __init__(self) -> None:
        self._inner = httpx.HTTPTransport(verify=False)
        self.seconds = 0.0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        began = perf_counter()
        answer = self._inner.handle_request(request)
        answer.read()
        self.seconds += perf_counter() - began
        return answer

    def close(self) -> None:
        self._inner.close()


def _sign(link: str, name: str) -> tuple[float, float]:
    """Opens the link and signs; the seconds that each of the two took to be answered."""
    watch = Stopwatch()
    with Browser(watch) as browser:
        documents = browser.submit(browser.open(link), {})
        opened = watch.seconds
        form = documents.form()
        fields = {field: "PO-1815" for field, values in form.values.items() if "/" in field and values == [""]}
        signature = {"signatureKind": "typed", "signatureText": name, "consent": form.choices.get("consent", [])}
        done = browser.submit(documents, {**fields, **signature})
        assert not done.alerts, done.alerts
        return opened, watch.seconds - opened


def _session(people: dict[str, str], callback_url: str | None) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "heading", "text": "1. Services"}]
    blocks += [{"type": "paragraph", "text": _TEXT}] * 2
    for key in people:
        blocks.append({"type": "field", "fieldType": "text", "label": "Reference", "name": key, "recipient": key})
        blocks.append({"type": "signatureBlock", "label": f"For the {key}", "recipient": key})
    document = {"format": "blocks", "title": "Maintenance agreement", "blocks": blocks}
    return {
        "name": "Maintenance agreement",
        "files": [{"type": "blocks", "document": document}],
        "recipients": [{"key": key, "name": _NAMES[key], "email": address} for key, address in people.items()],
        "sendImmediately": True,
        **({"callbackUrl": callback_url} if callback_url else {}),
    }
