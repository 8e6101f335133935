"""One organisation with the most that its limits allow delays another, which creates and signs, by two jobs at most."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event
from time import perf_counter
from typing import NamedTuple
from uuid import uuid4

import httpx
import pytest

from cli.demo.browser import Browser
from tests import http_requests
from tests.application.uploads import pdfs
from tests.builders import session_body
from tests.end_to_end.access import client_of
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.load import filled_in

CONNECTIONS = 6
SESSIONS = 2
NOISE = 2.0
"""Seconds that other work of the machine may take."""

LIST = {"type": "bulletList", "items": ["a"] * 50}
BUSY = {"client": "Ada Lovelace"}
LONG = session_body("Long", BUSY, *[LIST] * 99)
PREVIEW = {"kind": "session", "document": LONG["files"][0]["document"], "recipients": [{"key": "client"}]}
PAGES = pdfs.of_pages(8)

Request = Callable[[httpx.Client, str], httpx.Response]
"""A request with a client, about one of its sessions."""

REQUESTS: dict[str, Request] = {
    "drafts": lambda http, _: http.post("/api/v1/Session", json=LONG),
    "previews": lambda http, _: http.post("/api/v1/Document/Preview", json=PREVIEW),
    "uploads": lambda http, _: http.post("/api/v1/File", files={"file": (f"{uuid4()}.pdf", PAGES)}),
    "feed": lambda http, _: http.get("/api/v1/Events?limit=100"),
    "certificates": lambda http, session: http.get(f"/api/v1/Session/{session}/Certificate"),
}


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A service with the limits of production."""
    limits = {"READS": "600", "WRITES": "120", "PAGES": "600"}
    settings = {f"UNDERSIGN_{kind}_PER_MINUTE": most for kind, most in limits.items()}
    folder = tmp_path_factory.mktemp("limited") / "kept"
    with Installation(folder, **settings, UNDERSIGN_POOL_PROCESSES="2") as installation:
        yield installation


@pytest.fixture(scope="module")
def other(limited: Installation) -> Iterator[httpx.Client]:
    """A client of another organisation."""
    added = limited.run("organisation", "add", "Quiet & Sons", "--json")
    organisation = json.loads(added.stdout)["organisationId"]
    client = json.loads(limited.run("client", "add", organisation, "Shop", "--json").stdout)
    url = limited.dev_info.api_url
    token = http_requests.post(
        f"{url}/oidc/token",
        data={"grant_type": "client_credentials"},
        auth=(client["clientId"], client["clientSecret"]),
    ).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=http_requests.PATIENCE) as http:
        yield http


class Signed(NamedTuple):
    """A session with the seconds of creating and of signing it."""

    session_id: str
    created: float
    signed: float


def create_and_sign(installation: Installation, http: httpx.Client) -> Signed:
    """Returns a session of one recipient once it is completed."""
    key = f"client-{uuid4().hex}"
    body = session_body("Lease", {key: "Ada Lovelace"}, sendImmediately=True)
    began = perf_counter()
    session_id = http.post("/api/v1/Session", json=body).raise_for_status().json()["sessionId"]
    created = perf_counter() - began
    to, address = installation.outbox.to, f"{key}@example.com"
    eventually(lambda: to(address), "the invitation")
    with Browser() as browser:
        documents = browser.submit(browser.open(to(address)[0].link), {})
        began = perf_counter()
        browser.submit(documents, filled_in(documents, "Ada Lovelace"))
        signed = perf_counter() - began
    path = f"/api/v1/Session/{session_id}"
    eventually(lambda: http.get(path).json()["status"] == "completedAndGenerated", "the documents are sealed")
    return Signed(session_id, created, signed)


@contextmanager
def repeated(request: Callable[[], httpx.Response]) -> Iterator[None]:
    """Sends `request` again and again on several connections."""
    ended = Event()

    def repeat() -> None:
        while not ended.is_set():
            request()

    with ThreadPoolExecutor(CONNECTIONS) as threads:
        running = [threads.submit(repeat) for _ in range(CONNECTIONS)]
        try:
            yield
        finally:
            ended.set()
        for one in running:
            one.result()


@pytest.mark.parametrize("kind", REQUESTS)
def test_the_work_of_one_organisation_delays_another_by_at_most_two_of_its_jobs(
    limited: Installation, other: httpx.Client, kind: str
) -> None:
    with client_of(limited) as busy:
        request = partial(REQUESTS[kind], busy, create_and_sign(limited, busy).session_id)
        alone = [create_and_sign(limited, other) for _ in range(SESSIONS)]
        began = perf_counter()
        request().raise_for_status()
        job = perf_counter() - began
        with repeated(request):
            beside = [create_and_sign(limited, other) for _ in range(SESSIONS)]

    for act in ("created", "signed"):
        before, after = (max(getattr(one, act) for one in measured) for measured in (alone, beside))
        assert after <= before + 2 * job + NOISE, (act, before, after, job)
