"""A session ends while the timestamp authority is down, and its seals get their trusted time later by themselves."""

from hashlib import sha256
from pathlib import Path

import pytest

from tests import http_requests
from tests.adapters.sealing.timestamp_server import TimestampServer
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually, eventually_says
from tests.layout.reading import pdfsig
from undersign import Client
from undersign.models import SessionRead

pytestmark = pytest.mark.poppler


def test_with_the_authority_down_and_then_up_a_session_ends_at_b_t(
    installation: Installation, service: Client, authority: TimestampServer, tmp_path: Path
) -> None:
    authority.stop()
    agreement = Agreement.of(installation)

    finished = agreement.complete()

    assert _levels(finished) == {"B-B"}
    eventually_says(lambda: agreement.now.waiting_for, "cannot be reached (Connection refused)")
    installation.kill_worker()
    authority.start()
    raised = eventually(
        lambda: now if _levels(now := agreement.now) == {"B-T"} else None,
        "the seals are raised",
        2 * http_requests.PATIENCE,
    )
    assert raised.status == "completedAndGenerated"
    assert raised.waiting_for == "Completed."
    (document,) = service.list_documents(raised.session_id).documents
    content = http_requests.get(document.url).content
    assert sha256(content).hexdigest() == raised.files[0].signed_sha256 != finished.files[0].signed_sha256
    result = pdfsig(content, tmp_path)
    assert result.count("Signature is Valid.") == 1
    assert result.count("Signature #") == 2  # the seal and the timestamp over it, which poppler does not judge
    (event,) = [event for event in service.list_events(raised.session_id).events if event.type == "session.sealRaised"]
    assert event.details["sealLevel"] == "B-T"


def _levels(session: SessionRead) -> set[str | None]:
    return {file.seal_level for file in session.files}
