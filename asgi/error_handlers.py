"""Error responses: status, code and body of every exception (Specification 7.4)."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.types import Scope

from application import errors
from application.errors import ServiceError
from application.validation_issues import issues_of
from asgi.near_routes import near_route
from asgi.query_validation import BodilessRoute, query_issues
from domain.session.labels import ExternalIdTaken
from domain.shared import errors as domain_errors
from domain.shared.ids import advice_on_id
from layout.schema.issues import IssueKind
from ports.database import DatabaseUnavailable
from ports.object_store import DownloadNotValid, ObjectStoreError
from ports.openid import IssuerUnavailable
from ports.process_pool import PoolBusy, ProcessDied
from schemas.errors import DocumentIssueRead, ErrorRead, RequestIssueRead

log = structlog.get_logger(__name__)

_IDENTIFIERS = frozenset({"batchId", "eventId", "fileId", "recipientId", "sessionId", "templateId"})
_SHOWN = 80  # characters of a value in a message
RETRY_SECONDS = 2
"""Seconds in `Retry-After`: long enough for a document to be generated or a backend to recover."""


class ErrorMapping(NamedTuple):
    """The response to one class of errors. `text` replaces the message of an error that names internals."""

    status: HTTPStatus
    code: str
    retry: bool = False
    text: str | None = None


_BAD, _NOT_FOUND, _CONFLICT = HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT
_UNAVAILABLE = ErrorMapping(
    HTTPStatus.SERVICE_UNAVAILABLE, "UNAVAILABLE", retry=True, text=domain_errors.Unavailable.default
)
_TOO_MUCH_WORK = "This took more time or memory than a request may; ask for less at once, or try again."

ERROR_MAPPINGS: Mapping[type[Exception], ErrorMapping] = {
    domain_errors.SessionNotFound: ErrorMapping(_NOT_FOUND, "NOT_FOUND"),
    domain_errors.FileNotFound: ErrorMapping(_NOT_FOUND, "NOT_FOUND"),
    domain_errors.LinkNotValid: ErrorMapping(_NOT_FOUND, "NOT_FOUND"),
    domain_errors.RecipientNotFound: ErrorMapping(_NOT_FOUND, "RECIPIENT_NOT_FOUND"),
    domain_errors.NotADraft: ErrorMapping(_BAD, "NOT_A_DRAFT"),
    domain_errors.NoRecipients: ErrorMapping(_BAD, "NO_RECIPIENTS"),
    domain_errors.IncompleteRecipients: ErrorMapping(_BAD, "INCOMPLETE_RECIPIENTS"),
    domain_errors.AlreadyArchived: ErrorMapping(_BAD, "ALREADY_ARCHIVED"),
    domain_errors.NotArchived: ErrorMapping(_BAD, "NOT_ARCHIVED"),
    domain_errors.SessionNotActive: ErrorMapping(_BAD, "SESSION_NOT_ACTIVE"),
    domain_errors.RecipientNotActive: ErrorMapping(_BAD, "RECIPIENT_NOT_ACTIVE"),
    domain_errors.ExpiryNotLater: ErrorMapping(_BAD, "INVALID_REQUEST"),
    domain_errors.AddressTaken: ErrorMapping(_BAD, "INVALID_REQUEST"),
    domain_errors.TooOften: ErrorMapping(HTTPStatus.TOO_MANY_REQUESTS, "RATE_LIMITED"),
    domain_errors.NotDue: ErrorMapping(_CONFLICT, "CONFLICT"),
    domain_errors.NotYourTurn: ErrorMapping(_BAD, "RECIPIENT_NOT_ACTIVE"),
    domain_errors.AlreadySigned: ErrorMapping(_BAD, "RECIPIENT_NOT_ACTIVE"),
    domain_errors.SessionNotCompleted: ErrorMapping(_CONFLICT, "SESSION_NOT_COMPLETED"),
    domain_errors.DocumentNotReady: ErrorMapping(_CONFLICT, "DOCUMENT_NOT_READY", retry=True),
    domain_errors.DocumentsDiffer: ErrorMapping(_CONFLICT, "DOCUMENTS_DIFFER"),
    domain_errors.BatchEnded: ErrorMapping(_CONFLICT, "BATCH_ENDED"),
    domain_errors.BatchNotEnded: ErrorMapping(_CONFLICT, "BATCH_NOT_ENDED"),
    domain_errors.BatchBeingChecked: ErrorMapping(_CONFLICT, "BATCH_BEING_CHECKED"),
    ExternalIdTaken: ErrorMapping(_CONFLICT, "EXTERNAL_ID_TAKEN"),
    domain_errors.Unavailable: _UNAVAILABLE,
    DatabaseUnavailable: _UNAVAILABLE,
    ObjectStoreError: _UNAVAILABLE,
    IssuerUnavailable: _UNAVAILABLE,
    PoolBusy: _UNAVAILABLE._replace(text="Too much work is waiting; try again shortly."),
    ProcessDied: _UNAVAILABLE._replace(text=_TOO_MUCH_WORK),
    DownloadNotValid: ErrorMapping(_NOT_FOUND, "NOT_FOUND", text="This download does not exist or has expired."),
    **{kind: ErrorMapping(kind.status, kind.code, kind.retry) for kind in ServiceError.kinds},
}

FRAMEWORK_ERRORS: Mapping[int, tuple[str, str]] = {
    400: ("INVALID_REQUEST", "The request could not be read."),
    404: ("NOT_FOUND", "There is nothing at this address."),
    405: ("METHOD_NOT_ALLOWED", "This address does not accept that method."),
    415: ("UNSUPPORTED_MEDIA_TYPE", errors.UnsupportedMediaType.default),
    500: ("INTERNAL_ERROR", "Something went wrong on our side; the X-Request-Id finds it in the log."),
}
"""Code and message of errors that the framework raises itself."""


_EXAMPLES: Mapping[type[Exception], dict[str, Any]] = {
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


def find_mapping(kind: type[Exception]) -> ErrorMapping | None:
    """Returns the mapping of `kind` or its nearest base class; None for an unexpected error."""
    return next((ERROR_MAPPINGS[base] for base in kind.__mro__ if base in ERROR_MAPPINGS), None)


def install(app: FastAPI) -> None:
    """Installs the exception handlers in `app`."""
    for kind in ERROR_MAPPINGS:
        app.add_exception_handler(kind, _answer_mapped)
    app.add_exception_handler(DownloadNotValid, _answer_download)
    app.add_exception_handler(HTTPException, _answer_framework)
    app.add_exception_handler(RequestValidationError, _answer_parameters)


async def _answer_mapped(request: Request, error: Exception) -> JSONResponse:
    mapping, body = find_mapping(type(error)), body_of(error, request.scope.get("path_params", {}))
    assert mapping, "handlers are installed for mapped errors only"  # noqa: S101  # invariant
    assert body, "mapped errors have a body"  # noqa: S101  # invariant
    if mapping.status is HTTPStatus.SERVICE_UNAVAILABLE:
        log.warning("backend unavailable", error=type(error).__name__, cause=type(error.__cause__).__name__)
    return answer(mapping.status, body, headers_of(error))


async def _answer_download(request: Request, error: Exception) -> Response:
    """Answers people who open the address of a file too late with a page."""
    mapping = ERROR_MAPPINGS[type(error)]
    return answer_status(request.scope, mapping.status, advice=mapping.text)


def body_of(error: Exception, given: Mapping[str, Any] = MappingProxyType({})) -> ErrorRead | None:
    """Returns the body of the response to `error`; None for an unexpected error.

    `given` are parameters of the request. The message names those that are no identifiers, if something is not found.
    """
    mapping = find_mapping(type(error))
    if mapping is None:
        return None
    issues: list[RequestIssueRead] | list[DocumentIssueRead] | None = None
    if isinstance(error, errors.InvalidRequest | errors.InvalidVariableValues | errors.InvalidBatch):
        issues = [RequestIssueRead(path=issue.path, message=issue.message) for issue in error.issues]
    elif isinstance(error, errors.InvalidBase64):
        issues = [RequestIssueRead(path="/data", message=str(error))]
    elif isinstance(error, errors.InvalidFileType) and error.issues:
        issues = [RequestIssueRead(**issue._asdict()) for issue in error.issues]
    elif isinstance(error, errors.DocumentValidationFailed):
        issues = [DocumentIssueRead.from_issue(filed) for filed in error.issues]
    message = mapping.text or getattr(error, "message", None) or str(error)
    if mapping.status is _NOT_FOUND:
        named = {name: str(given[name]) for name in given if name in _IDENTIFIERS and f"“{given[name]}”" not in message}
        message += "".join(advice_on_id(name, value) for name, value in named.items())
        if len(named) > len({*named.values()}):
            message += f" {' and '.join(named)} are the same; each kind of thing has identifiers of its own."
    session_id = error.session_id if isinstance(error, ExternalIdTaken) else None
    return ErrorRead(message=message, error=mapping.code, issues=issues, session_id=session_id)


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
    return await _answer_mapped(request, errors.InvalidRequest([*others, *own]))


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
    mapping = find_mapping(type(error))
    headers = {"Retry-After": str(RETRY_SECONDS)} if mapping and mapping.retry else {}
    if isinstance(error, errors.Unauthorized):
        is_invalid = isinstance(error, errors.InvalidToken)
        headers["WWW-Authenticate"] = 'Bearer error="invalid_token"' if is_invalid else "Bearer"
    if isinstance(error, errors.RateLimited | errors.RecipientBudgetSpent | domain_errors.TooOften):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, errors.InsufficientScope):
        headers["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{error.scope}"'
    return headers


def error_responses(*kinds: type[Exception]) -> dict[int | str, dict[str, Any]]:
    """Returns the `responses` of a route that raises `kinds`: by status, with an example of each code."""
    responses: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        mapping = find_mapping(kind)
        if mapping is None:
            raise LookupError(f"{kind.__name__} is not mapped")
        empty = {"model": ErrorRead, "content": {"application/json": {"examples": {}}}}
        response = responses.setdefault(mapping.status.value, empty)
        message = mapping.text or getattr(kind, "default", "")
        examples = response["content"]["application/json"]["examples"]
        example = {"message": message, "error": mapping.code, **_EXAMPLES.get(kind, {})}
        examples.setdefault(mapping.code, {"value": example})
        response["description"] = f"{mapping.status.phrase}: {', '.join(f'`{code}`' for code in examples)}"
    return responses
