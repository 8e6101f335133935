"""Maps errors of Temporal to errors of the domain, and to reasons for operators."""

import re
from collections.abc import Awaitable
from typing import TypeVar

import structlog
from temporalio.client import WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from domain.ports.temporal import HistoryUnreadable, NotRunning
from domain.shared.errors import SigningError, Unavailable, by_name
from workflows.sdk.payload_codec import PayloadUnreadable

T = TypeVar("T")

log = structlog.get_logger(__name__)

_ENDED_BEFORE_UPDATE = "AcceptedUpdateCompletedWorkflow"
"""Temporal's error type for an update whose workflow ended before the update completed."""

_AWAY = {RPCStatusCode.UNAVAILABLE, RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED}


def rpc_status_name(error: RPCError | RuntimeError) -> str | None:
    """Returns the name of the gRPC status of a refusal; None if Temporal does not respond."""
    status = error.status if isinstance(error, RPCError) else _status_at_connecting(error)
    return None if status is None or status in _AWAY else status.name


def to_unavailable(error: RPCError | RuntimeError) -> Unavailable:
    """Returns the error to raise from `error`. Logs the status of a refusal, without its message."""
    refused = rpc_status_name(error)
    if refused:
        log.warning("Temporal refuses a call", status=refused)
    return Unavailable()


def cause_of(error: RPCError | RuntimeError) -> str | None:
    """Returns the cause of a failed connection, as the operating system or TLS states it; None if it is unknown."""
    # The SDK returns it as text only: nested structures of Rust, of which the innermost is the cause.
    found = re.findall(r'(?:message: |error: |\berror\(|certificate: )"?([^"(){}]+)', str(error))
    return found[-1].strip(' "') if found else None


def _status_at_connecting(error: RuntimeError) -> RPCStatusCode | None:
    # The SDK returns it as text only. A status with a transport error is the client's own: no gRPC server responded.
    found = None if "tonic::transport::Error" in str(error) else re.search(r"Status \{ code: (\w+)", str(error))
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", found.group(1)).upper() if found else ""
    return RPCStatusCode.__members__.get(name)


async def map_errors(call: Awaitable[T], *, is_start: bool = False) -> T:
    """Returns the result of a call to Temporal; raises its errors as errors of the domain.

    `is_start`: the call starts a run, so only the namespace can be missing.
    """
    try:
        return await call
    except WorkflowUpdateRPCTimeoutOrCancelledError as error:
        raise Unavailable from error
    except WorkflowUpdateFailedError as error:
        raise _to_domain_error(error) from error
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND and not is_start:
            raise NotRunning from error
        raise to_unavailable(error) from error
    except PayloadUnreadable as error:
        log.error(str(error))  # noqa: TRY400  # the message says what to do
        raise HistoryUnreadable(str(error)) from error
    except RuntimeError as error:
        # A lazy client raises it when it cannot connect or is not authorised.
        raise to_unavailable(error) from error


def _to_domain_error(error: WorkflowUpdateFailedError) -> Exception:
    cause = error.cause
    if not isinstance(cause, ApplicationError):
        return error
    if cause.type == _ENDED_BEFORE_UPDATE:
        return NotRunning()
    kind: type[SigningError] | None = by_name().get(cause.type or "")
    return kind(cause.message) if kind else error
