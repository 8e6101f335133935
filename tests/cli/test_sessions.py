"""`undersign session list`: sessions of all organisations, by what they wait for."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli.backends import open_repositories
from config.settings import Settings
from domain.ports.database import Organisation
from domain.session.outcome_mail_kinds import OutcomeMail, OutcomeMailKind, RefusedMail
from domain.session.recipients import Invitation
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import SessionId
from tests.builders import audit, created, identifier, recipient
from tests.cli.commands import undersign
from tests.workflows.servers import dev_server


def sent(name: str, **members: object) -> Session:
    session = created(recipient("ada")).session.send(audit()).session
    changed = {"session_id": SessionId(identifier(name)), **members}
    return session.model_copy(update=changed)


@pytest.mark.temporal
async def test_sessions_are_listed_with_the_cause_and_stuck_ones_alone(tmp_path: Path) -> None:
    waits, stopped = sent("waits"), sent("stopped", stopped_at=audit().at)
    [ada] = waits.recipients
    refused = sent(
        "refused",
        recipients=(ada.model_copy(update={"invitation": Invitation(number=1, failed=1, refusal="550 no such user")}),),
    )
    reached = sent("reached", recipients=(ada.model_copy(update={"invitation": Invitation(number=1, delivered=1)}),))
    async with open_repositories(Settings(data_dir=tmp_path)) as database:
        for session in (waits, stopped, refused, reached):
            await database.sessions.record(session, [])

    async with dev_server() as server:
        address = server.client.service_client.config.target_host
        found = {
            option: undersign(tmp_path, "session", "list", *option, "--json", UNDERSIGN_TEMPORAL_ADDRESS=address).json()
            for option in ((), ("--stuck",), ("--organisation", identifier("other")))
        }
    causes = {
        option: {row["sessionId"]: row["cause"] for row in answer["sessions"]} for option, answer in found.items()
    }

    assert causes["--stuck",] == {stopped.session_id: "run", refused.session_id: "mail"}
    assert causes[()] == {**causes["--stuck",], waits.session_id: "mail", reached.session_id: "person"}
    assert causes["--organisation", identifier("other")] == {}
    [row] = [row for row in found[()]["sessions"] if row["sessionId"] == refused.session_id]
    assert "The invitation to ada was refused" in row["waitingFor"]
    assert "Ada" not in str(found)


@pytest.mark.temporal
async def test_refused_mails_are_listed_and_sent_again_with_apply(tmp_path: Path) -> None:
    session = await store_refused(tmp_path)

    async with dev_server() as server:
        address = server.client.service_client.config.target_host
        results = [
            undersign(tmp_path, "session", "resend", *option, "--json", UNDERSIGN_TEMPORAL_ADDRESS=address).json()
            for option in ((), ("--apply",), ("--apply",))
        ]

    row = {"sessionId": session.session_id, "organisationId": session.organisation_id, "recipient": "ada"}
    assert results == [
        {"mails": [{**row, "result": "refused"}]},
        {"mails": [{**row, "result": "sent again"}]},
        {"mails": []},
    ]


async def test_without_temporal_refused_mails_are_listed_and_not_sent(tmp_path: Path) -> None:
    await store_refused(tmp_path)
    listed = undersign(tmp_path, "session", "resend")

    answer = undersign(tmp_path, "session", "resend", "--apply", UNDERSIGN_TEMPORAL_ADDRESS="127.0.0.1:1")

    assert "--apply sends these mails again" in listed.out
    assert answer.refuses("ended after 0 of 1 mails", code=1)


async def store_refused(data_dir: Path) -> Session:
    """Stores a declined session, whose mail about it the mail server refused for Ada."""
    now = datetime.now(UTC)
    mail = OutcomeMail(kind=OutcomeMailKind.DECLINED, recipient_id=recipient("ada").recipient_id, cause=3, at=now)
    members = {"status": SessionStatus.DECLINED, "updated_at": now, "needs_documents": False}
    session = sent("declined", refused_mails=(RefusedMail(mail=mail, refusal="552 over quota"),), **members)
    async with open_repositories(Settings(data_dir=data_dir)) as database:
        await database.organisations.add(Organisation(session.organisation_id, "Northwind Trading"))
        await database.sessions.record(session, [])
    return session


def test_without_temporal_the_list_says_so(tmp_path: Path) -> None:
    answer = undersign(tmp_path, "session", "list", UNDERSIGN_TEMPORAL_ADDRESS="127.0.0.1:1")

    assert answer.refuses("Temporal does not answer", code=1)
