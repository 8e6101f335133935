"""Converts failures for histories: short, as Temporal keeps 4 KB of them, and without messages of libraries.

Libraries quote their input (passwords, addresses, rows), so an error from outside this project is reduced to its type
or to the system's message. The worker's log has more.
"""

from temporalio.api.failure.v1 import Failure
from temporalio.converter import DefaultFailureConverter, PayloadConverter
from temporalio.exceptions import ApplicationError, FailureError

from domain.shared.error_redaction import error_type_name, safe_message, stack_locations
from workflows.sdk.payload_codec import PayloadUnreadable

MAX_CAUSES = 3
MESSAGE = 300
"""Maximum bytes of a message."""

CAUSE = 100
"""Maximum bytes of the message of a cause."""

ENCRYPTED = "The reason is under encodedAttributes"
"""The message while payloads are encrypted."""

PLACES = 600
"""Maximum characters of a stack trace. The last frames are kept."""


class RedactingFailureConverter(DefaultFailureConverter):
    """Converts an error to a redacted message, the types of its causes, and the stack trace of the first cause."""

    def to_failure(self, exception: BaseException, payload_converter: PayloadConverter, failure: Failure) -> None:
        redacted = _brief(exception)
        super().to_failure(redacted, payload_converter, failure)
        failure.stack_trace = _led_to(redacted)


class EncryptedFailureConverter(RedactingFailureConverter):
    """Moves message and stack trace into a payload, which the codec encrypts."""

    def to_failure(self, exception: BaseException, payload_converter: PayloadConverter, failure: Failure) -> None:
        super().to_failure(exception, payload_converter, failure)
        redacted = {"message": failure.message, "stack_trace": failure.stack_trace}
        failure.encoded_attributes.CopyFrom(payload_converter.to_payloads([redacted])[0])
        failure.message, failure.stack_trace = ENCRYPTED, ""


def _brief(error: BaseException) -> BaseException:
    """Returns the error and its causes without messages of libraries."""
    if isinstance(error, FailureError) and isinstance(error.__cause__, PayloadUnreadable):
        error = error.__cause__  # the SDK would not retry an activity whose heartbeat details it cannot decrypt
    if isinstance(error, FailureError):
        return error  # written for histories, or already redacted
    return _failed(error, _words(error, MESSAGE), MAX_CAUSES)


def _words(error: BaseException, most: int) -> str:
    words = safe_message(error) or error_type_name(error)
    encoded = words.encode()
    return words if len(encoded) <= most else f"{encoded[: most - len('…'.encode())].decode(errors='ignore')}…"


def _failed(error: BaseException, words: str, causes: int) -> ApplicationError:
    failed = ApplicationError(words, type=type(error).__name__)
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and causes:
        failed.__cause__ = (
            cause if isinstance(cause, FailureError) else _failed(cause, _words(cause, CAUSE), causes - 1)
        )
    else:
        failed.__traceback__ = error.__traceback__
    failed.__suppress_context__ = True
    return failed


def _led_to(error: BaseException) -> str:
    places = list(stack_locations(error.__traceback__))
    while sum(map(len, places)) > PLACES:
        del places[0]
    return "\n".join(places)
