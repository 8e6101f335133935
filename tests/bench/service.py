"""A whole embedded installation of one revision, and sessions of two recipients on it, over HTTP alone."""

import os
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from uuid import uuid4

import httpx

from cli.demo.browser import Browser
from tests import ROOT
from tests.builders import session_body
from tests.end_to_end.access import client_of
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.load import filled_in
from tests.outbox import SentMail

_NAMES = {"client": "Ada Lovelace", "supplier": "Grace Hopper"}
_TEXT = "The supplier maintains the machines that the client has named, and answers within one working day. " * 3
_LONGEST_PAUSE = 0.03
_QUIET_SECONDS = 0.2
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Lived:
    """A session that has reached its signed document, with the seconds of waiting for responses."""

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
        self.temporal_address = self._installation.start().temporal_address

    def stop(self) -> None:
        """Has no effect if it does not run."""
        if self._installation.is_running:
            self._installation.stop()

    def processor_seconds(self) -> float:
        """Returns the processor time of all its processes since it was started."""
        return tree_seconds(self._installation.process_id)

    def wait_until_quiet(self) -> None:
        """Returns when the processes are idle, so that they do not disturb the next measurement."""
        before = self.processor_seconds()
        sleep(_QUIET_SECONDS)
        while (after := self.processor_seconds()) - before > _QUIET_SECONDS / 10:
            before = after
            sleep(_QUIET_SECONDS)

    def client(self) -> AbstractContextManager[httpx.Client]:
        """Returns a client of the API with connections of its own."""
        return client_of(self._installation)

    def live(self, client: httpx.Client) -> Lived:
        """Creates and sends a session, and signs it as each recipient in order, until its documents are generated."""
        people = {f"{key}-{uuid4().hex}": name for key, name in _NAMES.items()}
        body = _session(people, self._callback_url)
        began = perf_counter()
        answer = client.post("/api/v1/Session", json=body, headers={"Idempotency-Key": uuid4().hex})
        created = perf_counter() - began
        path = f"/api/v1/Session/{answer.raise_for_status().json()['sessionId']}"
        waits = [_sign(self._await_mails(key, 1)[0].link, name) for key, name in people.items()]
        # The second mail to each says that the documents are there, and costs the service nothing to wait for.
        for key in people:
            self._await_mails(key, 2)
        eventually(
            lambda: client.get(path).raise_for_status().json()["status"] == "completedAndGenerated",
            "the session is generated",
            longest=_LONGEST_PAUSE,
        )
        opened, signed = zip(*waits, strict=True)
        return Lived(path.rpartition("/")[2], created, opened, signed)

    def _await_mails(self, key: str, count: int) -> list[SentMail]:
        """Returns the mails to a recipient once there are `count`."""
        to = self._installation.outbox.to
        address = f"{key}@example.com"
        eventually(lambda: len(to(address)) >= count, f"{count} mails to {address}", longest=_LONGEST_PAUSE)
        return to(address)


class Stopwatch(httpx.BaseTransport):
    """Plain HTTP. `seconds` is the time until all responses so far were complete."""

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
    """Opens the link and signs; returns the seconds of waiting for each."""
    watch = Stopwatch()
    with Browser(watch) as browser:
        documents = browser.submit(browser.open(link), {})
        opened = watch.seconds
        done = browser.submit(documents, filled_in(documents, name))
        assert not done.alerts, done.alerts
        return opened, watch.seconds - opened


def _session(people: dict[str, str], callback_url: str | None) -> dict[str, Any]:
    blocks = [
        {"type": "heading", "text": "1. Services"},
        *[{"type": "paragraph", "text": _TEXT}] * 2,
        *({"type": "field", "fieldType": "text", "label": "Reference", "name": k, "recipient": k} for k in people),
    ]
    callback = {"callbackUrl": callback_url} if callback_url else {}
    return session_body("Maintenance agreement", people, *blocks, sendImmediately=True, **callback)


def command_of(root: Path) -> tuple[str, ...]:
    """`undersign` of the tree at `root`, for a process whose PYTHONPATH is that tree."""
    scripts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, function = scripts["undersign"].partition(":")
    return (sys.executable, "-P", "-c", f"import sys; from {module} import {function}; sys.exit({function}())")


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """A git worktree of `revision` in `build/`, which is removed afterwards.

    Raises:
        subprocess.CalledProcessError: git does not know the revision, or this tree is no repository.
    """
    folder = ROOT / "build" / f"revision-{revision.replace('/', '-')}"
    _git("worktree", "add", "--force", "--detach", str(folder), revision)
    try:
        yield folder
    finally:
        _git("worktree", "remove", "--force", str(folder))


def _git(*arguments: str) -> None:
    subprocess.run(("git", "-C", str(ROOT), *arguments), check=True, capture_output=True, text=True)


def tree_seconds(root: int) -> float:
    """User and system time of the process `root` and of all below it, ended ones included, in seconds (Linux).

    Only while no process of the tree ends during the call: the time of one that does may be missing.
    """
    children: defaultdict[int, list[int]] = defaultdict(list)
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            process = int(path.parent.name)
            children[int(fields[1])].append(process)
            ticks[process] = sum(map(int, fields[11:15]))  # utime, stime, and those of children that were waited for
    waiting, total = [root], 0
    while waiting:
        process = waiting.pop()
        total += ticks.get(process, 0)
        waiting += children[process]
    return total / _TICKS
