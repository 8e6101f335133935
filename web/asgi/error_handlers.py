"""Error responses: status, code and body of every exception (Specification 7.4)."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, cast

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.types import Scope

from application import errors
from application.schemas.errors import DocumentIssueRead, ErrorRead, RequestIssueRead
from application.validation_issues import issues_of
from domain.ports.object_store import DownloadNotValid
from domain.session.labels import ExternalIdTaken
from domain.shared.errors import CodedError, TooOften
from domain.shared.ids import advice_on_id
from layout.schema.issues import IssueKind
from web.asgi.near_routes import near_route
from web.asgi.query_validation import BodilessRoute, query_issues

log = structlog.get_logger(__name__)

_IDENTIFIERS = frozenset({"batchId", "eventId", "fileId", "recipientId", "sessionId", "templateId"})
_SHOWN = 80  # characters of a value in a message
RETRY_SECONDS = 2
"""Seconds in `Retry-After`: long enough for a document to be generated or a backend to recover."""


_BAD, _NOT_FOUND, _CONFLICT = HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT
_TOO_LARGE, _TOO_MANY = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.TOO_MANY_REQUESTS

STATUSES: Mapping[str, HTTPStatus] = {
    "ALREADY_ARCHIVED": _BAD,
    "BATCH_BEING_CHECKED": _CONFLICT,
    "BATCH_ENDED": _CONFLICT,
    "BATCH_NOT_ENDED": _CONFLICT,
    "BODY_TOO_LARGE": _TOO_LARGE,
    "CONFIRMATION_NOT_VALID": _BAD,
    "CONFLICT": _CONFLICT,
    "CURSOR_OUTDATED": HTTPStatus.GONE,
    "DOCUMENTS_DIFFER": _CONFLICT,
    "DOCUMENT_NOT_READY": _CONFLICT,
    "DOCUMENT_VALIDATION_FAILED": _BAD,
    "EXTERNAL_ID_TAKEN": _CONFLICT,
    "FILE_TOO_LARGE": _TOO_LARGE,
    "HISTORY_NOT_WHOLE": HTTPStatus.INTERNAL_SERVER_ERROR,
    "IDEMPOTENCY_IN_PROGRESS": _CONFLICT,
    "IDEMPOTENCY_KEY_REUSED": HTTPStatus.UNPROCESSABLE_ENTITY,
    "INCOMPLETE_RECIPIENTS": _BAD,
    "INSUFFICIENT_SCOPE": HTTPStatus.FORBIDDEN,
    "INVALID_BASE64": _BAD,
    "INVALID_BATCH": _BAD,
    "INVALID_FILE_TYPE": _BAD,
    "INVALID_REQUEST": _BAD,
    "INVALID_VARIABLE_VALUES": _BAD,
    "NOT_ACCEPTABLE": HTTPStatus.NOT_ACCEPTABLE,
    "NOT_ARCHIVED": _BAD,
    "NOT_A_DRAFT": _BAD,
    "NOT_FOUND": _NOT_FOUND,
    "NO_RECIPIENTS": _BAD,
    "RATE_LIMITED": _TOO_MANY,
    "RECIPIENT_BUDGET_SPENT": _TOO_MANY,
    "RECIPIENT_DOMAIN_NOT_ALLOWED": HTTPStatus.FORBIDDEN,
    "RECIPIENT_NOT_ACTIVE": _BAD,
    "RECIPIENT_NOT_FOUND": _NOT_FOUND,
    "SESSION_NOT_ACTIVE": _BAD,
    "SESSION_NOT_COMPLETED": _CONFLICT,
    "STORAGE_FULL": _TOO_LARGE,
    "TEMPLATE_ARCHIVED": _CONFLICT,
    "TEMPLATE_NOT_ACTIVE": _BAD,
    "UNAUTHORIZED": HTTPStatus.UNAUTHORIZED,
    "UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
    "UNSUPPORTED_MEDIA_TYPE": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
}
"""The HTTP status of each code of the API. An error with another code is unexpected there."""

RETRIED = frozenset({"DOCUMENT_NOT_READY", "IDEMPOTENCY_IN_PROGRESS", "UNAVAILABLE"})
"""Codes of errors after which the same request may succeed in seconds."""

FRAMEWORK_ERRORS: Mapping[int, tuple[str, str]] = {
    400: ("INVALID_REQUEST", "The request could not be read."),
    404: ("NOT_FOUND", "There is nothing at this address."),
    405: ("METHOD_NOT_ALLOWED", "This address does not accept that method."),
    415: ("UNSUPPORTED_MEDIA_TYPE", errors.UnsupportedMediaType.default),
    500: ("INTERNAL_ERROR", "Something went wrong on our side; the X-Request-Id finds it in the log."),
}
"""Code and message of errors that the framework raises itself."""


_EXAMPLES: Mapping[type[CodedError], dict[str, Any]] = {
    errors.InvalidRequest: {
        "message": "The request is not valid: 1 issue.",
        "issues": [{"path": "/recipients/0/email", "message": "Enter a full email address, like ada@example.com."}],
    },
    errors.InvalidVariableValues: {
        "message": "The values of the template's variables are not valid: 1 issue.",
        "issues": [{"path": "/variableValues/tenant", "message": "The variable “tenant” needs a value."}],
    },
    errors.InvalidBatch: {
        "message": "The batch is not valid: 1 issue.",
        "issues": [{"path": "/rows/17/variableValues/tenant", "message": "The variable “tenant” needs a value."}],
    },
    ExternalIdTaken: {"sessionId": "3f0b1c9a-5d7e-4a64-9f0e-0a1b2c3d4e5f"},
    errors.DocumentValidationFailed: {
        "message": "Document validation failed: 1 issue.",
        "issues": [
            {
                "kind": IssueKind.UNKNOWN_RECIPIENT.value,
                "page": 2,
                "message": "No recipient has the key “landlord”. "
                "Use a key of the request's recipients, or declare this one there.",
                "snippet": "landlord",
                "file": 0,
                "path": "/files/0/document/blocks/7/recipient",
            }
        ],
    },
}


def install(app: FastAPI) -> None:
    """Installs the exception handlers in `app`."""
    app.add_exception_handler(CodedError, _answer_coded)
    app.add_exception_handler(DownloadNotValid, _answer_download)
    app.add_exception_handler(HTTPException, _answer_framework)
    app.add_exception_handler(RequestValidationError, _answer_parameters)


async def _answer_coded(request: Request, error: Exception) -> JSONResponse:
    body = body_of(error, request.scope.get("path_params", {}))
    if body is None:
        raise error
    status = STATUSES[body.error]
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        log.warning("backend unavailable", error=type(error).__name__, cause=type(error.__cause__).__name__)
    return answer(status, body, headers_of(error))


async def _answer_download(request: Request, _: Exception) -> Response:
    """Answers people who open the address of a file too late with a page."""
    return answer_status(request.scope, HTTPStatus.NOT_FOUND, advice=DownloadNotValid.default)


def body_of(error: Exception, given: Mapping[str, Any] = MappingProxyType({})) -> ErrorRead | None:
    """Returns the body of the response to `error`; None for an unexpected error.

    `given` are parameters of the request. The message names those that are no identifiers, if something is not found.
    """
    if not isinstance(error, CodedError) or error.code not in STATUSES:
        return None
    issues: list[RequestIssueRead] | list[DocumentIssueRead] | None = None
    if isinstance(error, errors.InvalidRequest | errors.InvalidVariableValues | errors.InvalidBatch):
        issues = [RequestIssueRead(path=issue.path, message=issue.message) for issue in error.issues]
    elif isinstance(error, errors.InvalidBase64):
        issues = [RequestIssueRead(path="/data", message=error.message)]
    elif isinstance(error, errors.InvalidFileType) and error.issues:
        issues = [RequestIssueRead(**issue._asdict()) for issue in error.issues]
    elif isinstance(error, errors.DocumentValidationFailed):
        issues = [DocumentIssueRead.from_issue(filed) for filed in error.issues]
    message = error.message
    if STATUSES[error.code] is _NOT_FOUND:
        named = ((name, value) for name, value in given.items() if name in _IDENTIFIERS and f"“{value}”" not in message)
        message += "".join(advice_on_id(name, value) for name, value in named)
    session_id = error.session_id if isinstance(error, ExternalIdTaken) else None
    return ErrorRead(message=message, error=error.code, issues=issues, session_id=session_id)


def internal_error() -> ErrorRead:
    """Returns the body of the response to an unexpected error."""
    code, message = FRAMEWORK_ERRORS[500]
    return ErrorRead(message=message, error=code)


async def _answer_framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # installed for this kind only
    headers, message = dict(error.headers or {}), None
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = ", ".join(sorted(_methods(request)))
        headers["Allow"] = allowed
        if request.method == "OPTIONS":
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)
        message = f"This address does not accept {request.method[:_SHOWN]}, but {allowed}"
    if error.status_code == HTTPStatus.NOT_FOUND and "route" not in request.scope:
        message = "There is nothing at this address"
    if message is not None:
        near = near_route(request.app, request.method, request.scope["path"])
        message += f"; perhaps {near} is meant. The reference is at /docs." if near else ". The reference is at /docs."
    return answer_status(request.scope, error.status_code, headers, message)


def _methods(request: Request) -> set[str]:
    """Returns the methods of all routes of the path; the framework names those of one route only."""
    app: FastAPI = request.app
    methods = {
        method
        for route in iter_route_contexts(app.routes)
        if route.path_regex.fullmatch(request.scope["path"])
        for method in route.methods or ()
    }
    return methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())


async def _answer_parameters(request: Request, error: Exception) -> JSONResponse:
    """Answers FastAPI's errors of path and query parameters like errors of a body."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  # installed for this kind only
    invalid = [{**issue, "loc": issue["loc"][1:]} for issue in error.errors() if issue["type"] != "extra_forbidden"]
    route = request.scope["route"]
    own = await route.issues_of(request) if isinstance(route, BodilessRoute) else query_issues(request)
    paths = {issue.path for issue in own}
    others = [issue for issue in issues_of(invalid, None) if issue.path not in paths]
    return await _answer_coded(request, errors.InvalidRequest([*others, *own]))


def answer_status(
    scope: Scope, status: int, headers: Mapping[str, str] | None = None, advice: str | None = None
) -> Response:
    """Returns the response for a status without a mapped exception: a page for browsers, where the app has one.

    `advice` is a more precise message than that of the status.
    """
    page = scope["app"].state.error_page(scope, status)
    if page is not None:
        page.headers.update(headers or {})
        return cast("Response", page)
    code, message = FRAMEWORK_ERRORS.get(status) or (HTTPStatus(status).name, HTTPStatus(status).phrase + ".")
    return answer(status, ErrorRead(message=advice or message, error=code), headers)


def answer(status: int, body: ErrorRead, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse(body.model_dump(mode="json", exclude_none=True), status, dict(headers or {}))


def headers_of(error: Exception) -> dict[str, str]:
    """Returns the headers of the response to `error`."""
    is_retried = isinstance(error, CodedError) and error.code in RETRIED
    headers = {"Retry-After": str(RETRY_SECONDS)} if is_retried else {}
    if isinstance(error, errors.Unauthorized):
        is_invalid = isinstance(error, errors.InvalidToken)
        headers["WWW-Authenticate"] = 'Bearer error="invalid_token"' if is_invalid else "Bearer"
    if isinstance(error, errors.RateLimited | errors.RecipientBudgetSpent | TooOften):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, errors.InsufficientScope):
        headers["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{error.scope}"'
    return headers


def error_responses(*kinds: type[CodedError]) -> dict[int | str, dict[str, Any]]:
    """Returns the `responses` of a route that raises `kinds`: by status, with an example of each code."""
    responses: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        status = STATUSES[kind.code]
        empty = {"model": ErrorRead, "content": {"application/json": {"examples": {}}}}
        response = responses.setdefault(status.value, empty)
        examples = response["content"]["application/json"]["examples"]
        example = {"message": kind.default, "error": kind.code, **_EXAMPLES.get(kind, {})}
        examples.setdefault(kind.code, {"value": example})
        response["description"] = f"{status.phrase}: {', '.join(f'`{code}`' for code in examples)}"
    return responses
