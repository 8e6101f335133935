"""Maps errors of Temporal's RPC to errors of the domain and to reasons for operators."""

import re

import structlog
from temporalio.service import RPCError, RPCStatusCode

from domain.shared.errors import Unavailable

log = structlog.get_logger(__name__)

_AWAY = {RPCStatusCode.UNAVAILABLE, RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED}


def rpc_status_name(error: RPCError | RuntimeError) -> str | None:
    """Returns the name of the gRPC status of a refusal; None if Temporal does not respond.

    A client that cannot connect raises a `RuntimeError`.
    """
    status = error.status if isinstance(error, RPCError) else _status_at_connecting(error)
    return None if status is None or status in _AWAY else status.name


def to_unavailable(error: RPCError | RuntimeError) -> Unavailable:
    """Returns the error to raise from `error`. Logs the status of a refusal, without its message."""
    refused = rpc_status_name(error)
    if refused:
        log.warning("Temporal refuses what it is asked", status=refused)
    return Unavailable()


def cause_of(error: RPCError | RuntimeError) -> str | None:
    """Why there is no connection, in the words of the operating system or of TLS; None if the error names no cause."""
    # The SDK gives it as words only: nested structures of Rust, the cause in the innermost.
    found = re.findall(r'(?:message: |error: |\berror\(|certificate: )"?([^"(){}]+)', str(error))
    return found[-1].strip(' "') if found else None


def _status_at_connecting(error: RuntimeError) -> RPCStatusCode | None:
    # The SDK gives it as words only. A status with a source is the client's own: nothing that speaks gRPC answered.
    found = None if "tonic::transport::Error" in str(error) else re.search(r"Status \{ code: (\w+)", str(error))
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", found.group(1)).upper() if found else ""
    return RPCStatusCode.__members__.get(name)
