"""A session whose timestamp authority is down finishes, and its seals get their trusted time without a hand."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from cli.demo.command import connect
from schemas.session_read import SessionRead
from tests import http_requests
from tests.adapters.sealing.timestamp_server import TimestampServer, serving_timestamps
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually, eventually_says
from tests.layout.reading import pdfsig
from undersign import Client

pytestmark = [pytest.mark.installation, pytest.mark.poppler]


@pytest.fixture
def authority() -> Iterator[TimestampServer]:
    """One that has an address, and is down."""
    with serving_timestamps() as server:
        server.stop()
        yield server


@pytest.fixture
def told_the_time(authority: TimestampServer, tmp_path: Path) -> Iterator[Installation]:
    roots = tmp_path / "roots.pem"
    roots.write_bytes(authority.roots_pem())
    installation = Installation(
        tmp_path / "sealing", UNDERSIGN_TIMESTAMP_URL=authority.address, UNDERSIGN_TIMESTAMP_ROOTS=str(roots)
    )
    installation.start()
    yield installation
    installation.stop()


@pytest.fixture
def calls(told_the_time: Installation) -> Iterator[Client]:
    service = connect(told_the_time.dev_info)
    yield service
    service.close()


def test_with_the_authority_down_and_then_up_a_session_ends_at_b_t(
    told_the_time: Installation, calls: Client, authority: TimestampServer, tmp_path: Path
) -> None:
    agreement = Agreement(told_the_time.dev_info, calls)
    for key in ("client", "consultant"):
        agreement.sign(key)

    finished = agreement.await_documents()
    assert levels(finished) == {"B-B"}
    eventually_says(lambda: waiting_for(calls, finished), "127.0.0.1 cannot be reached")
    told_the_time.kill_worker()
    authority.start()
    raised = eventually(lambda: reached(calls, finished, "B-T"), "the seals are raised", 2 * http_requests.PATIENCE)

    assert raised.status == "completedAndGenerated"
    assert raised.waiting_for == "Finished; waiting for nothing."
    (document,) = calls.list_documents(raised.session_id).documents
    content = http_requests.get(document.url).content
    assert sha256(content).hexdigest() == raised.files[0].signed_sha256 != finished.files[0].signed_sha256
    result = pdfsig(content, tmp_path)
    assert result.count("Signature is Valid.") == 1
    assert result.count("Signature #") == 2  # the seal and the timestamp over it, which poppler does not judge
    (event,) = [event for event in calls.list_events(raised.session_id).events if event.type == "session.sealRaised"]
    assert event.details["sealLevel"] == "B-T"


def levels(session: SessionRead) -> set[str | None]:
    return {file.seal_level for file in session.files}


def waiting_for(calls: Client, session: SessionRead) -> str:
    return calls.get_session(session.session_id).waiting_for


def reached(calls: Client, session: SessionRead, level: str) -> SessionRead | None:
    now = calls.get_session(session.session_id)
    return now if levels(now) == {level} else None
