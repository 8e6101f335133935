"""What can go wrong with a call.

ClientError
|-- ApiError           the service answered with an error: status, code, message, issues, the request's id
|-- NoResponse       no answer came, so nobody knows what was done
`-- NeverGenerated    the wait for signed documents came to an end without them
"""

from collections.abc import Sequence
from typing import Any


class ClientError(Exception):
    """Base of what calls raise."""


class ApiError(ClientError):
    """An answer with an error. `code` is for programs, `message` says what to do next.

    Attributes:
        status: HTTP status.
        code: such as `NOT_FOUND`; empty when what answered was not the service.
        issues: all mistakes of the request, each with `path` and `message`.
        session_id: with `EXTERNAL_ID_TAKEN`, the session that has the external id.
        request_id: finds the request in the service's log.
    """

    def __init__(self, status: int, body: dict[str, Any], request_id: str | None) -> None:
        self.status = status
        self.code = str(body.get("error", ""))
        self.message = str(body.get("message") or body.get("error_description") or "")
        self.issues: Sequence[dict[str, Any]] = body.get("issues") or ()
        self.session_id: str | None = body.get("sessionId")
        self.request_id = request_id
        places = "".join(f"\n  {issue.get('path')}: {issue.get('message')}" for issue in self.issues)
        super().__init__(f"{status} {self.code}: {self.message}{places}")


class NoResponse(ClientError):
    """No answer, after all tries. Repeating is safe for reads and for calls with an Idempotency-Key."""


class NeverGenerated(ClientError):
    """The session ended otherwise, or did not get there in time. The message says where it stands."""
