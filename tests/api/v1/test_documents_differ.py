"""There is no certificate of completion for signed PDFs that are not made from what the history names."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from domain.session.session import Session, SessionFile
from domain.shared.times import LocalDate
from tests.api.service import Service
from tests.builders import NOON, submission

Change = Callable[[Session, Session], Session]


async def completed(service: Service, name: str) -> Session:
    made = await service.create(sendImmediately=True, name=name)
    return await service.generate(await service.complete(made["sessionId"]))


def with_file(session: Session, file: SessionFile) -> Session:
    return session.model_copy(update={"files": (file,)})


def with_recipient(session: Session, **changes: object) -> Session:
    return session.with_recipient(session.recipients[0], **changes)


CHANGES: dict[str, Change] = {
    "the signed PDF of another session": lambda session, other: with_file(
        session, session.files[0].model_copy(update={"signed": other.files[0].signed})
    ),
    "the PDF as it was sent": lambda session, _: with_file(
        session, session.files[0].model_copy(update={"signed": session.files[0].rendered})
    ),
    "other pages": lambda session, other: with_file(
        session, session.files[0].model_copy(update={"rendered": other.files[0].rendered})
    ),
    "other entries": lambda session, _: with_recipient(session, submission=submission("other").content),
    "another time": lambda session, _: with_recipient(session, completed_at=NOON + timedelta(minutes=1)),
    "another day": lambda session, _: with_recipient(
        session, signed_on=LocalDate(date=date(2026, 1, 1), time_zone="Australia/Sydney")
    ),
    "another name": lambda session, _: with_recipient(session, name="Augusta"),
}


@pytest.mark.parametrize("what", CHANGES)
async def test_a_certificate_is_refused(service: Service, what: str) -> None:
    session, other = [await completed(service, name) for name in ("Agreement", "Another agreement")]
    address = f"/api/v1/Session/{session.session_id}/Certificate"
    assert (await service.http().get(address)).status_code == 200

    await service.sessions.become(CHANGES[what](service.sessions.held[session.session_id], other))

    answer = await service.http().get(address)
    assert (answer.status_code, answer.json()["error"]) == (409, "DOCUMENTS_DIFFER")
