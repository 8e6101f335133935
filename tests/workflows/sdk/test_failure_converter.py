"""Failures are short enough for Temporal to keep, and say what they are about."""

from collections.abc import Sequence
from smtplib import SMTPRecipientsRefused

import pytest
from sqlalchemy.exc import IntegrityError
from temporalio.api.failure.v1 import Failure
from temporalio.exceptions import ApplicationError

from domain.ports.mail import MailNotSent
from workflows.sdk.connection import data_converter
from workflows.sdk.failure_converter import ENCRYPTED, MAX_CAUSES, MESSAGE
from workflows.sdk.payload_keys_setting import PayloadKey, new_payload_key, read_payload_keys

KEPT = 4096
"""Bytes of a failure that Temporal keeps."""


BOTH = pytest.mark.parametrize("keys", [(), read_payload_keys(new_payload_key())], ids=["plain", "encrypted"])


async def converted(error: BaseException, keys: Sequence[PayloadKey] = ()) -> Failure:
    failure = Failure()
    await data_converter(keys).encode_failure(error, failure)
    return failure


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


@BOTH
@pytest.mark.parametrize("causes", [1, 2, 6])
async def test_a_failure_with_many_causes_is_kept_with_its_reason(keys: Sequence[PayloadKey], causes: int) -> None:
    failure = await converted(failed(causes, "the mail server does not answer"), keys)
    assert failure.ByteSize() < KEPT
    assert len(list(chain(failure))) == 1 + min(causes, MAX_CAUSES)
    assert str(await data_converter(keys).decode_failure(failure)) == "MailNotSent: the mail server does not answer"


async def test_the_stack_trace_is_that_of_the_first_cause() -> None:
    failure = await converted(failed(1, "the mail server does not answer"))

    assert failure.stack_trace == ""
    places = failure.cause.stack_trace.splitlines()
    assert places[-1].startswith("tests/workflows/sdk/test_failure_converter.py:")
    assert {place.partition(" in ")[2] for place in places} == {"deep"}


async def test_libraries_are_not_quoted() -> None:
    kinds = [
        (one.message, one.application_failure_info.type)
        for one in chain(await converted(failed(3, "the mail server does not answer")))
    ]

    assert kinds == [
        ("the mail server does not answer", "MailNotSent"),
        ("RuntimeError", "RuntimeError"),
        ("RuntimeError", "RuntimeError"),
        ("ConnectionRefusedError", "ConnectionRefusedError"),
    ]


@BOTH
async def test_an_error_of_a_library_is_reduced_to_its_type(keys: Sequence[PayloadKey]) -> None:
    row = {"name": "Ada Lovelace", "email": "ada@example.com"}

    failure = await converted(IntegrityError("INSERT", row, ValueError("UNIQUE failed")), keys)

    assert failure.message == (ENCRYPTED if keys else "sqlalchemy.exc.IntegrityError")
    assert failure.application_failure_info.type == "IntegrityError"
    decoded = await data_converter(keys).decode_failure(failure)
    assert isinstance(decoded, ApplicationError)
    assert decoded.message == "sqlalchemy.exc.IntegrityError"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError(2, "No such file or directory", "/ada.pdf"), "No such file or directory"),
        (ConnectionRefusedError(111, "Connect call failed ('10.1.2.3', 25)"), "Connection refused"),
    ],
)
async def test_an_error_of_the_system_keeps_its_message_without_names_and_addresses(
    error: OSError, message: str
) -> None:
    assert (await converted(error)).message == message


async def test_the_cause_of_a_failure_of_ours_is_not_quoted() -> None:
    error = ApplicationError("the mail server refused it", type="MailRejected")
    error.__cause__ = SMTPRecipientsRefused({"ada@example.com": (550, b"no such user")})
    messages = [one.message for one in chain(await converted(error))]
    assert messages == ["the mail server refused it", "smtplib.SMTPRecipientsRefused"]


async def test_a_long_message_is_cut() -> None:
    failure = await converted(MailNotSent("long " * 100))
    assert len(failure.message.encode()) == MESSAGE
    assert failure.message.endswith("…")


@BOTH
async def test_a_failure_with_causes_of_ours_in_any_script_is_kept(keys: Sequence[PayloadKey]) -> None:
    error = MailNotSent("🖋" * 400)
    for _ in range(MAX_CAUSES):
        try:
            raise MailNotSent("🖋" * 400) from error
        except MailNotSent as caught:
            error = caught

    failure = await converted(error, keys)

    assert failure.ByteSize() < KEPT
    assert len(list(chain(failure))) == 1 + MAX_CAUSES


def chain(failure: Failure) -> list[Failure]:
    """The failure and its causes."""
    return [failure, *(chain(failure.cause) if failure.HasField("cause") else [])]
