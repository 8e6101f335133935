"""What is kept of a session that is archived, restored or deleted, and where its values can be read meanwhile."""

import json
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from tests import http_requests
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.webhook_receiver import WebhookReceiver
from undersign import ApiError, Client

_TEXT = "purchase_order"
"""A field of the example."""


def test_an_archived_session_cannot_be_signed_until_it_is_restored(installation: Installation, service: Client) -> None:
    agreement = Agreement.of(installation)
    link = agreement.link_of("client")

    archived = service.delete_session(agreement.session_id)
    page = http_requests.get(link)
    with pytest.raises(ApiError) as refused:
        service.delete_session(agreement.session_id)
    restored = service.restore_session(agreement.session_id)
    agreement.sign("client")

    assert archived.model_dump(exclude={"session_id", "name"}) == {
        "previousStatus": "pending",
        "status": "cancelled",
        "permanent": False,
        "restorable": True,
    }
    assert page.is_client_error
    assert (refused.value.status, refused.value.code) == (400, "ALREADY_ARCHIVED")
    assert restored.status == "pending"
    assert agreement.now.status == "inProgress"


def test_values_are_in_responses_callbacks_and_the_store_and_nothing_remains_of_a_deleted_session(
    installation: Installation, service: Client
) -> None:
    mark = f"Zanzibar {uuid4()}"
    with WebhookReceiver() as receiver:
        agreement = Agreement.of(installation, callbackUrl=receiver.url, callbackValues=True)
        agreement.sign("client", **{_TEXT: mark})
        (completed,) = eventually(
            lambda: [body["data"] for body in receiver.bodies if body["type"] == "recipient.completed"],
            "the receiver has the callback of the signature",
        )
        others = [body for body in receiver.bodies if body["type"] != "recipient.completed"]
        read = service.get_values(agreement.session_id)
        events = [event.type for event in service.list_events(agreement.session_id).events]
    link = agreement.link_of("consultant")

    assert completed["files"] == [file.model_dump(mode="json", by_alias=True) for file in read.files]
    assert {value.name: value.value for value in read.files[0].values}[_TEXT] == mark
    assert events.count("session.valuesRead") == 1
    assert mark not in json.dumps(others)
    assert _holders(installation, mark) == {f"{agreement.session_id}/submissions"}
    assert installation.files(agreement.session_id)

    deleted = service.delete_session(agreement.session_id, permanent=True)

    assert (deleted.status, deleted.permanent, deleted.restorable) == ("deleted", True, False)
    for call in (service.get_session, service.delete_session, service.list_documents, service.get_values):
        with pytest.raises(ApiError) as refused:
            call(agreement.session_id)
        assert refused.value.status == 404
    assert http_requests.get(link).is_client_error
    eventually(lambda: not _holders(installation, mark), "nothing holds the value")
    eventually(lambda: not installation.files(agreement.session_id), "its objects are gone")


def _holders(installation: Installation, mark: str) -> set[str]:
    """Returns the databases, objects, logs and mails of the installation that contain `mark`."""
    return {
        "/".join(path.parts[-4:-2]) if "submissions" in path.parts else path.name
        for path in installation.files(folder=".")
        if _holds(path, mark)
    }


def _holds(path: Path, mark: str) -> bool:
    with suppress(FileNotFoundError):  # deleted meanwhile
        return mark.encode() in path.read_bytes()
    return False
