"""What recipients entered, read by programs (Specification 4.18)."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
import structlog
from structlog.testing import capture_logs

from application.scopes import USUAL, Scope
from domain.session.session import Session
from domain.shared.ids import SessionId
from tests.api.mcp.assistant import done, refused
from tests.api.service import OWN, Service, client_of, document
from tests.builders import ORGANISATION, audit, identifier, submit

MARK = "Zanzibar-7731"
"""What Ada enters, and what is nowhere but among the values."""

BLOCKS = [
    {"type": "field", "fieldType": "text", "label": "Account", "name": "account", "recipient": "ada"},
    {"type": "field", "fieldType": "number", "label": "Fee", "name": "fee", "recipient": "grace"},
    {"type": "field", "fieldType": "checkbox", "label": "Annex", "name": "annex", "recipient": "ada"},
    {"type": "signatureBlock", "label": "For the client", "recipient": "ada"},
    {"type": "signatureBlock", "label": "For the consultant", "recipient": "grace"},
]
ANNEX = [{"type": "field", "fieldType": "date", "label": "Account", "name": "account", "recipient": "ada"}]
FILES = [
    {"type": "blocks", "document": document(blocks=BLOCKS)},
    {"type": "blocks", "document": document(title="Annex", blocks=ANNEX)},
]
ADA = {"account": [MARK, "01/07/2026"], "annex": ["true"]}
GRACE = {"fee": ["1250.50"]}


async def sent(service: Service) -> Session:
    """A session that Ada and Grace sign, in that order."""
    made = await service.create(sendImmediately=True, files=FILES)
    return service.sessions.held[SessionId(made["sessionId"])]


async def sign(service: Service, session: Session, key: str, entries: Mapping[str, list[str]]) -> Session:
    """Has the recipient sign. Of `entries` each name has its values, one for each file with an input of that name."""
    submission = await submit(service.objects, session, key, entries, signature=f"{key} {MARK}")
    now = service.sessions.held[session.session_id]
    who = next(recipient for recipient in now.recipients if recipient.key == key)
    return await service.sessions.take(now.sign(who.recipient_id, submission, audit()))


async def half_signed(service: Service) -> Session:
    return await sign(service, await sent(service), "ada", ADA)


def path(session: Session) -> str:
    return f"/api/v1/Session/{session.session_id}"


async def read(service: Service, session: Session, **members: Any) -> httpx.Response:
    return await service.http(**members).get(f"{path(session)}/Values")


def entered(answer: httpx.Response) -> list[tuple[str, object]]:
    """By recipient and name, in the order of the answer."""
    assert answer.status_code == 200, answer.text
    return [
        (f"{value['recipientKey']} {value['name']}", value["value"])
        for file in answer.json()["files"]
        for value in file["values"]
    ]


BY_ADA = [("ada account", MARK), ("ada annex", True), ("ada account", "2026-07-01")]


async def test_values_come_by_file_and_name_with_who_entered_them_and_when(service: Service) -> None:
    session = await half_signed(service)
    ada = session.recipients[0]

    answer = (await read(service, session)).json()

    assert (answer["sessionId"], answer["sessionStatus"]) == (session.session_id, "inProgress")
    assert [(file["fileId"], file["fileName"]) for file in answer["files"]] == [
        (file.file_id, file.file_name) for file in session.files
    ]
    shown = (await service.http().get(path(session))).json()["recipients"][0]
    assert answer["files"][1]["values"] == [
        {
            "name": "account", "label": "Account", "fieldType": "date", "value": "2026-07-01", "text": "01/07/2026",
            "recipientId": ada.recipient_id, "recipientKey": "ada", "completedAt": shown["completedAt"],
        }
    ]  # fmt: skip


async def test_there_are_values_of_those_alone_who_have_signed(service: Service) -> None:
    session = await sent(service)
    before = await read(service, session)
    session = await sign(service, session, "ada", ADA)
    first = await read(service, session)
    session = await sign(service, session, "grace", GRACE)
    both = await read(service, session)

    assert entered(before) == []
    assert [file["values"] for file in before.json()["files"]] == [[], []]
    assert entered(first) == BY_ADA
    assert entered(both) == [BY_ADA[0], ("grace fee", 1250.5), *BY_ADA[1:]]


async def test_a_draft_has_no_values(service: Service) -> None:
    made = await service.create(files=FILES)
    assert entered(await service.http().get(f"/api/v1/Session/{made['sessionId']}/Values")) == []


@pytest.mark.parametrize("how", ["declined", "archived", "restored"])
async def test_values_stay_readable_however_the_session_goes_on(service: Service, how: str) -> None:
    session = await half_signed(service)
    if how == "declined":
        grace = session.recipients[1].recipient_id
        await service.sessions.take(session.decline(grace, "No.", audit()))
        service.sessions.closed.add(session.session_id)
    else:
        await service.http().delete(path(session))
        if how == "restored":
            await service.http().post(f"{path(session)}/Restore")

    assert entered(await read(service, session)) == BY_ADA
    assert await readings(service, session) == [(OWN.client_id, "ada")]


async def readings(service: Service, session: Session) -> list[tuple[str, str]]:
    """Returns client and recipient of each event of reading."""
    keys = {person.recipient_id: person.key for person in session.recipients}
    events = (await service.http().get(f"{path(session)}/Events")).json()["events"]
    found = [event for event in events if event["type"] == "session.valuesRead"]
    assert all(event["details"].keys() == {"recipientId"} and event["actor"]["kind"] == "client" for event in found)
    return [(event["actor"]["id"], keys[event["details"]["recipientId"]]) for event in found]


async def test_each_first_reading_by_a_client_is_an_event(service: Service) -> None:
    another = client_of(ORGANISATION, "another client")
    await service.organisations.add_client(another)
    session = await half_signed(service)

    for client in (OWN, OWN, another, OWN):
        assert entered(await read(service, session, client=client)) == BY_ADA
    session = await sign(service, session, "grace", GRACE)
    for _ in range(2):
        await read(service, session)

    assert await readings(service, session) == [
        (OWN.client_id, "ada"), (another.client_id, "ada"), (OWN.client_id, "grace"),
    ]  # fmt: skip


async def test_readings_at_the_same_time_are_one_event(service: Service) -> None:
    session = await half_signed(service)

    answers = await asyncio.gather(*(read(service, session) for _ in range(4)))

    assert [entered(answer) for answer in answers] == [BY_ADA] * 4
    assert await readings(service, session) == [(OWN.client_id, "ada")]


async def test_values_need_a_recorded_event(service: Service) -> None:
    session = await half_signed(service)
    service.sessions.runs.is_away = True

    answer = await read(service, session)

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert MARK not in answer.text


def test_values_need_a_scope_that_no_client_has_by_default() -> None:
    explicit = {Scope.READ_VALUES, Scope.WRITE_SIGNING_URLS, Scope.WRITE_ORGANISATION}
    assert set(Scope) - set(USUAL) == explicit


async def test_values_are_erased_with_the_session(service: Service) -> None:
    session = await half_signed(service)
    await read(service, session)

    await service.http().delete(f"{path(session)}?permanent=true")
    answer = await read(service, session)

    assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


async def test_a_tool_reads_what_the_api_reads(service: Service) -> None:
    session = await half_signed(service)

    found = await done(service, "get_values", {"sessionId": session.session_id})
    missing = await refused(service, "get_values", {"sessionId": identifier("unknown")})

    assert found == (await read(service, session)).json()
    assert await readings(service, session) == [(OWN.client_id, "ada")]
    assert missing["error"] == "NOT_FOUND"


async def test_what_was_entered_is_nowhere_else(service: Service) -> None:
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logged:
        session = await half_signed(service)
        assert MARK in (await read(service, session)).text
        await done(service, "get_values", {"sessionId": session.session_id})
        session = await service.generate(await sign(service, session, "grace", GRACE))
        await read(service, session)
        answers = [
            (await service.http().get(address)).text
            for address in (
                path(session), "/api/v1/Sessions", f"/api/v1/Sessions?name={MARK}", f"{path(session)}/Events",
                f"{path(session)}/Callbacks", f"{path(session)}/Documents", "/api/v1/Events",
            )
        ]  # fmt: skip
        listed = await done(service, "list_sessions", {})

    assert len(logged) > len(answers)
    assert MARK not in json.dumps([logged, listed], default=str)
    assert [answer for answer in answers if MARK in answer.replace(f"name={MARK}", "")] == []
    assert MARK not in service.sessions.held[session.session_id].model_dump_json()
