"""Errors of operations.

ClientError
|-- ApiError           an error response: status, code, message, issues, the request id
|-- NoResponse       no response, so the result is unknown
`-- NeverGenerated    the wait for signed documents ended without them
"""

from collections.abc import Sequence
from typing import Any


class ClientError(Exception):
    """Base of the errors that operations raise."""


class ApiError(ClientError):
    """An error response. `code` is for programs, `message` says what to do next.

    Attributes:
        status: HTTP status.
        code: such as `NOT_FOUND`; empty if the response did not come from the service.
        issues: all issues of the request, each with `path` and `message`.
        session_id: with `EXTERNAL_ID_TAKEN`, the session that has the external id.
        request_id: identifies the request in the service's log.
    """

    def __init__(self, status: int, body: dict[str, Any], request_id: str | None) -> None:
        self.status = status
        self.code = str(body.get("error", ""))
        self.message = str(body.get("message") or body.get("error_description") or "")
        issues = body.get("issues")
        self.issues: Sequence[dict[str, Any]] = (
            [i for i in issues if isinstance(i, dict)] if isinstance(issues, list) else ()
        )
        self.session_id: str | None = body.get("sessionId")
        self.request_id = request_id
        places = "".join(f"\n  {issue.get('path')}: {issue.get('message')}" for issue in self.issues)
        super().__init__(f"{status} {self.code}: {self.message}{places}")


class NoResponse(ClientError):
    """No response after all attempts. Repeating is safe for reads and for operations with an Idempotency-Key."""


class NeverGenerated(ClientError):
    """The session ended without signed documents, or the time is over. The message names its status."""
