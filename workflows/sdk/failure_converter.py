"""Failures as histories hold them: short, so that Temporal keeps them, and in our own words.

Of a failure that is tried again Temporal keeps 4 KB; of a longer one not even the message. The message of an error that
is none of ours, or of a cause that is not, is its kind or the system's words, because libraries quote what they were
given: passwords, addresses, rows. The places are those of the first cause. All that may be told is in the worker's log.
"""

from temporalio.api.failure.v1 import Failure
from temporalio.converter import DefaultFailureConverter, PayloadConverter
from temporalio.exceptions import ApplicationError, FailureError

from domain.shared.error_redaction import name_kind, name_places, quote
from workflows.sdk.payload_codec import PayloadUnreadable

MOST_CAUSES = 3
MESSAGE = 300
"""Bytes of the message of what failed."""

CAUSE = 100
"""Bytes of that of a cause."""

ENCRYPTED = "The reason is under encodedAttributes"
"""The message that anybody can read where payloads are encrypted."""

PLACES = 600
"""Characters of the places that led to where a failure arose: the last of them."""


class RedactingFailureConverter(DefaultFailureConverter):
    """What failed in our words, the kinds of its causes, and the places of the first of them."""

    def to_failure(self, exception: BaseException, payload_converter: PayloadConverter, failure: Failure) -> None:
        told = _brief(exception)
        super().to_failure(told, payload_converter, failure)
        failure.stack_trace = _led_to(told)


class EncryptedFailureConverter(RedactingFailureConverter):
    """The same as payloads, which a codec encrypts."""

    def to_failure(self, exception: BaseException, payload_converter: PayloadConverter, failure: Failure) -> None:
        super().to_failure(exception, payload_converter, failure)
        told = {"message": failure.message, "stack_trace": failure.stack_trace}
        failure.encoded_attributes.CopyFrom(payload_converter.to_payloads([told])[0])
        failure.message, failure.stack_trace = ENCRYPTED, ""


def _brief(error: BaseException) -> BaseException:
    """What fails a step, and its causes, without the words of libraries."""
    if isinstance(error, FailureError) and isinstance(error.__cause__, PayloadUnreadable):
        error = error.__cause__  # the SDK would never try again where it cannot read how far a step had come
    if isinstance(error, FailureError):
        return error  # made to be told, or told before
    return _failed(error, _words(error, MESSAGE), MOST_CAUSES)


def _words(error: BaseException, most: int) -> str:
    words = quote(error) or name_kind(error)
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
    """The last places, as many as are kept."""
    places = list(name_places(error.__traceback__))
    while sum(map(len, places)) > PLACES:
        del places[0]
    return "\n".join(places)
