"""The described webhook, compared with the callbacks that are sent (Specification 6.2)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adapters.webhooks.http_sender import TRY_SECONDS
from application.schemas.callbacks import CALLBACK_TYPES
from domain.audit.events import EventType
from domain.audit.hash_chain import make_event
from domain.callbacks.callback import Callback, callback_of_deletion, callbacks_of
from domain.callbacks.callback_signature import signed_headers
from domain.callbacks.delivery_schedule import RETRY_WAITS
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import EventId
from tests.api.operations import DESCRIPTION
from tests.builders import NOON, audit, draft, recipient

WEBHOOK: dict[str, Any] = DESCRIPTION["webhooks"]["callback"]["post"]
URL = "https://example.com/callbacks"


def announced() -> Iterator[Callback]:
    """A callback of every event that has one, and the one after a session was deleted permanently."""
    ada = recipient("ada")
    session = Session.create(draft(ada, callback_url=URL), audit()).session
    for type_ in EventType:
        details: dict[str, str | int] = {"recipientId": ada.recipient_id} if type_.startswith("recipient.") else {}
        if type_ is EventType.SESSION_RESTORED:
            details = {"status": "pending"}
        if type_ is EventType.RECIPIENT_INVITED:
            details["invitation"] = 1
        event = make_event(type_, audit(), details, (session.sequence, session.head))
        yield from callbacks_of(session, session, [event])
    last = callback_of_deletion(session.erase(audit()).session, SessionStatus.DRAFT)
    assert last is not None
    yield last


CALLBACKS = list(announced())


def test_all_types_that_are_sent_are_described_and_no_others() -> None:
    assert {callback.type for callback in CALLBACKS} == set(CALLBACK_TYPES)
    assert DESCRIPTION["components"]["schemas"]["CallbackBody"]["properties"]["type"]["enum"] == list(CALLBACK_TYPES)


@pytest.mark.parametrize("callback", CALLBACKS, ids=lambda callback: callback.type)
def test_a_body_is_as_it_is_described(callback: Callback) -> None:
    schemas = DESCRIPTION["components"]["schemas"]
    body = json.loads(callback.body)

    Draft202012Validator({**schemas["CallbackBody"], "components": {"schemas": schemas}}).validate(body)

    assert body.keys() == schemas["CallbackBody"]["properties"].keys()
    assert body["data"].keys() - {"recipient"} == set(schemas["AnnouncedSession"]["required"])


def test_the_headers_are_those_that_are_sent() -> None:
    described = {parameter["name"] for parameter in WEBHOOK["parameters"]}
    assert described == signed_headers(EventId("id"), NOON, "{}", ["whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"]).keys()


def test_the_times_are_those_that_are_kept() -> None:
    hours = [int(wait.total_seconds() // 3600) for wait in RETRY_WAITS[3:]]
    text = " ".join(WEBHOOK["description"].split())

    assert [wait.total_seconds() for wait in RETRY_WAITS[:3]] == [5, 300, 1800]
    assert f"{', '.join(map(str, hours[:-1]))} and {hours[-1]} hours" in text
    assert f"within {TRY_SECONDS:.0f} seconds" in text
