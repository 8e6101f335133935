"""Workers run an implementation for each activity that workflows know, with the same request and result."""

import inspect
from collections.abc import Callable
from typing import get_type_hints

import pytest
from temporalio import activity

from activities import interface
from activities.batches import BatchActivities
from activities.callbacks import CallbackActivities
from activities.erasure import ErasureActivities
from activities.send_mails import DeletionMailActivities, PauseMailActivities, SessionMailActivities
from activities.session_records import RecordActivities
from activities.signed_documents import DocumentActivities
from tests.fakes.effects import FakeEffects

IMPLEMENTATIONS = (
    RecordActivities.record_session,
    RecordActivities.record_and_send,
    SessionMailActivities.send_invitation,
    SessionMailActivities.send_reminder,
    SessionMailActivities.send_outcome_mail,
    DocumentActivities.generate_document,
    DocumentActivities.augment_seal,
    DeletionMailActivities.send_deletion_mails,
    ErasureActivities.erase_objects,
    ErasureActivities.erase_histories,
    ErasureActivities.issue_receipt,
)
CALLBACKS = (
    CallbackActivities.deliver_callback,
    CallbackActivities.stop_callback,
    PauseMailActivities.list_users,
    PauseMailActivities.send_pause_mail,
    BatchActivities.check_rows,
    BatchActivities.create_rows,
    BatchActivities.record_batch,
)
"""Without a fake: tests of callbacks, paused receivers and batches run them as they are."""
FAKES = tuple(
    getattr(FakeEffects, member.__name__) for member in IMPLEMENTATIONS if hasattr(FakeEffects, member.__name__)
)


def stubs() -> dict[str, Callable[..., object]]:
    return {
        name: member
        for name, member in inspect.getmembers(interface, inspect.iscoroutinefunction)
        if hasattr(member, "__temporal_activity_definition")
    }


def test_every_activity_has_an_implementation() -> None:
    assert stubs().keys() == {implementation.__name__ for implementation in IMPLEMENTATIONS + CALLBACKS}


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS + CALLBACKS + FAKES, ids=lambda member: member.__qualname__)
def test_an_implementation_has_the_name_the_request_and_the_result_of_its_stub(
    implementation: Callable[..., object],
) -> None:
    stub = stubs()[implementation.__name__]
    assert get_type_hints(implementation) == get_type_hints(stub)
    definition = activity._Definition.from_callable(implementation)
    assert definition is not None
    assert definition.name == stub.__name__
