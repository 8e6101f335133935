"""Failures as histories hold them: short, so that Temporal keeps them.

Of a failure that is tried again Temporal keeps 4 KB; of a longer one not even the message. All of it is in the worker's
log.
"""

from temporalio.api.failure.v1 import Failure
from temporalio.converter import DefaultFailureConverter, PayloadConverter

MOST_CAUSES = 3
MESSAGE = 300
"""Characters of a message, and of that of each cause."""

PLACES = 600
"""Characters of the places that led to where a failure arose: the last of them."""


class BriefFailures(DefaultFailureConverter):
    """Messages are cut, and the places told of the first cause only."""

    def to_failure(self, exception: BaseException, payload_converter: PayloadConverter, failure: Failure) -> None:
        super().to_failure(exception, payload_converter, failure)
        if len(failure.message) > MESSAGE:
            failure.message = f"{failure.message[: MESSAGE - 1]}…"
        if len(failure.stack_trace) > PLACES:
            failure.stack_trace = failure.stack_trace[-PLACES:].partition("\n")[2]
        if failure.HasField("cause"):
            failure.stack_trace = ""
        last = failure
        for _ in range(MOST_CAUSES):
            last = last.cause if last.HasField("cause") else last
        last.ClearField("cause")


class BriefEncodedFailures(BriefFailures):
    """The same as payloads, which a codec encrypts."""

    def to_failure(self, exception: BaseException, payload_converter: PayloadConverter, failure: Failure) -> None:
        super().to_failure(exception, payload_converter, failure)
        told = {"message": failure.message, "stack_trace": failure.stack_trace}
        failure.encoded_attributes.CopyFrom(payload_converter.to_payloads([told])[0])
        failure.message, failure.stack_trace = "Encoded failure", ""
