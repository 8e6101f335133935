"""Failures are short enough for Temporal to keep, and say what they are about."""

from collections.abc import Sequence
from smtplib import SMTPRecipientsRefused

import pytest
from sqlalchemy.exc import IntegrityError
from temporalio.api.failure.v1 import Failure
from temporalio.exceptions import ApplicationError

from ports.mail import MailNotSent
from workflows.sdk.config import PayloadKey, new_payload_key, read_payload_keys
from workflows.sdk.connection import data_converter
from workflows.sdk.failure_converter import ENCRYPTED, MESSAGE, MOST_CAUSES

KEPT = 4096
"""Bytes of a failure of an activity that Temporal keeps."""


def deep(depth: int) -> None:
    """Fails that many calls down."""
    if depth:
        deep(depth - 1)
    raise ConnectionRefusedError("nobody listens " * 100)


def failed(causes: int, reason: str) -> MailNotSent:
    """A failure with a long story."""
    error: BaseException
    try:
        deep(30)
    except ConnectionRefusedError as refused:
        error = refused
    for number in range(causes - 1):
        try:
            raise RuntimeError(f"library {number} " * 100) from error
        except RuntimeError as next_one:
            error = next_one
    try:
        raise MailNotSent(reason) from error
    except MailNotSent as told:
        return told


@pytest.mark.parametrize("keys", [(), read_payload_keys(new_payload_key())], ids=["plain", "encrypted"])
@pytest.mark.parametrize("causes", [1, 2, 6])
async def test_a_failure_with_a_long_story_is_kept_with_its_reason(keys: Sequence[PayloadKey], causes: int) -> None:
    by, failure = data_converter(keys), Failure()

    await by.encode_failure(failed(causes, "the mail server does not answer"), failure)

    assert failure.ByteSize() < KEPT
    assert len(list(chain(failure))) == 1 + min(causes, MOST_CAUSES)
    assert str(await by.decode_failure(failure)) == "MailNotSent: the mail server does not answer"


async def test_where_it_arose_is_told() -> None:
    failure = Failure()

    await data_converter(()).encode_failure(failed(1, "the mail server does not answer"), failure)

    assert failure.stack_trace == ""
    places = failure.cause.stack_trace.splitlines()
    assert places[-1].startswith("tests/workflows/sdk/test_failure_converter.py:")
    assert {place.partition(" in ")[2] for place in places} == {"deep"}


async def test_libraries_are_not_quoted() -> None:
    failure = Failure()

    await data_converter(()).encode_failure(failed(3, "the mail server does not answer"), failure)

    assert [one.message for one in chain(failure)] == [
        "the mail server does not answer",
        "RuntimeError",
        "RuntimeError",
        "ConnectionRefusedError",
    ]
    assert [one.application_failure_info.type for one in chain(failure)] == [
        "MailNotSent",
        "RuntimeError",
        "RuntimeError",
        "ConnectionRefusedError",
    ]


@pytest.mark.parametrize("keys", [(), read_payload_keys(new_payload_key())], ids=["plain", "encrypted"])
async def test_an_error_of_a_library_is_its_kind(keys: Sequence[PayloadKey]) -> None:
    by, failure = data_converter(keys), Failure()
    row = {"name": "Ada Lovelace", "email": "ada@example.com"}

    await by.encode_failure(IntegrityError("INSERT", row, ValueError("UNIQUE failed")), failure)

    assert failure.message == (ENCRYPTED if keys else "sqlalchemy.exc.IntegrityError")
    assert failure.application_failure_info.type == "IntegrityError"
    told = await by.decode_failure(failure)
    assert isinstance(told, ApplicationError)
    assert told.message == "sqlalchemy.exc.IntegrityError"


async def test_what_the_system_says_is_told() -> None:
    failure = Failure()
    await data_converter(()).encode_failure(FileNotFoundError(2, "No such file or directory", "/ada.pdf"), failure)
    assert failure.message == "No such file or directory"


async def test_what_led_to_a_failure_that_is_made_to_be_told_is_not_quoted() -> None:
    failure, told = Failure(), ApplicationError("the mail server refused it", type="MailRejected")
    told.__cause__ = SMTPRecipientsRefused({"ada@example.com": (550, b"no such user")})
    await data_converter(()).encode_failure(told, failure)
    assert [one.message for one in chain(failure)] == ["the mail server refused it", "smtplib.SMTPRecipientsRefused"]


async def test_a_long_message_is_cut() -> None:
    failure = Failure()
    await data_converter(()).encode_failure(MailNotSent("long " * 100), failure)
    assert len(failure.message.encode()) == MESSAGE
    assert failure.message.endswith("…")


@pytest.mark.parametrize("keys", [(), read_payload_keys(new_payload_key())], ids=["plain", "encrypted"])
async def test_a_failure_with_causes_of_ours_in_any_script_is_kept(keys: Sequence[PayloadKey]) -> None:
    failure, words = Failure(), MailNotSent("🖋" * 400)
    for _ in range(MOST_CAUSES):
        try:
            raise MailNotSent("🖋" * 400) from words
        except MailNotSent as told:
            words = told

    await data_converter(keys).encode_failure(words, failure)

    assert failure.ByteSize() < KEPT
    assert len(list(chain(failure))) == 1 + MOST_CAUSES


async def test_an_address_that_refused_a_connection_is_not_told() -> None:
    failure = Failure()

    await data_converter(()).encode_failure(
        ConnectionRefusedError(111, "Connect call failed ('10.1.2.3', 25)"), failure
    )

    assert failure.message == "Connection refused"


def chain(failure: Failure) -> list[Failure]:
    """The failure and its causes."""
    return [failure, *(chain(failure.cause) if failure.HasField("cause") else [])]
