"""Members that operations share: errors that any of them may return, headers of responses, and examples."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from application.errors import (
    BodyTooLarge,
    InsufficientScope,
    InvalidRequest,
    RateLimited,
    TemplateNotFound,
    Unauthorized,
    UnsupportedMediaType,
)
from application.idempotency import IDEMPOTENCY_ERRORS
from application.schemas.errors import ErrorRead
from domain.shared.errors import CodedError, SessionNotFound, Unavailable
from web.asgi.error_handlers import FRAMEWORK_ERRORS, RETRIED, error_responses
from web.asgi.query_validation import NO_BODY

EXAMPLES = Path(__file__).with_name("answers.json")
"""Recorded responses, by `operationId`. An operation without one has that of another with the same schema."""

_API = "/api/v1/"
_OAUTH = ("/oidc/token", "/oidc/revoke", "/oidc/register")
_ERROR = {"$ref": f"#/components/schemas/{ErrorRead.__name__}"}
_CODE, _MESSAGE = FRAMEWORK_ERRORS[500]
_INTERNAL_ERROR: dict[int | str, dict[str, Any]] = {
    500: {
        "description": f"`{_CODE}`",
        "content": {"application/json": {"examples": {_CODE: {"value": {"message": _MESSAGE, "error": _CODE}}}}},
    }
}
_FORMS = {
    "createToken": {"grant_type": "client_credentials", "scope": "read:sessions write:sessions"},
    "revokeToken": {"token": "eyJhbGciOiJFUzI1NiJ9..."},
}


def _text(description: str, example: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}, "example": example}


HEADERS: dict[str, Any] = {
    "X-Request-Id": _text("Identifier of the request in the logs.", "order 7/2026"),
    "Retry-After": {
        "description": "Seconds after which the same request may succeed.",
        "schema": {"type": "integer", "minimum": 1},
        "example": 2,
    },
    "RateLimit-Policy": _text("The quota: its name, and requests (`q`) per seconds (`w`).", '"reads";q=600;w=60'),
    "RateLimit": _text("Remaining requests (`r`), and seconds until the full quota (`t`).", '"reads";r=599;t=60'),
    "Idempotency-Replayed": {
        "description": "`true` if this is the first response once more.",
        "schema": {"const": "true", "type": "string"},
        "example": "true",
    },
    "WWW-Authenticate": _text(
        'How to authenticate. For the API (RFC 6750 section 3): `Bearer`, with `error="invalid_token"` for an invalid '
        'token, with `error="insufficient_scope"` and the needed `scope` for a token without it, and without an error '
        "if there is no token. For the token endpoint: `Basic` (RFC 7617).",
        'Bearer error="insufficient_scope", scope="read:sessions"',
    ),
    "Content-Disposition": _text(
        "`attachment`, with the name of the file (RFC 6266).",
        "attachment; filename=\"Lease.pdf\"; filename*=UTF-8''Lease.pdf",
    ),
}


def complete(described: dict[str, Any]) -> None:
    """Adds errors, headers and examples to all operations, in place."""
    described["components"]["headers"] = HEADERS
    recorded: dict[str, Any] = json.loads(EXAMPLES.read_text("utf-8"))
    by_schema = dict(_examples_of_schemas(described, recorded))
    for path, item in described["paths"].items():
        for operation in item.values():
            name, answers = operation["operationId"], operation["responses"]
            (done,) = (answer for status, answer in answers.items() if status.startswith("2"))
            if done["description"] == "Successful Response":  # FastAPI's words
                done["description"] = "Done"
            json_content = done.get("content", {}).get("application/json", {})
            example = recorded.get(name, by_schema.get(_schema_name(json_content)))
            if example is not None:
                json_content["example"] = example
            if name in _FORMS:
                (form,) = operation["requestBody"]["content"].values()
                form["example"] = _FORMS[name]
            for status, answer in {**error_responses(*_errors(path, operation)), **_INTERNAL_ERROR}.items():
                _add_codes(answers, str(status), answer)
            _fit_examples(operation)
            operation["responses"] = dict(sorted(answers.items()))
            _add_headers(path, operation)


def _examples_of_schemas(described: dict[str, Any], recorded: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields a recorded response for each schema, for operations without a response of their own."""
    for item in described["paths"].values():
        for operation in item.values():
            name, answers = operation["operationId"], operation["responses"]
            (done,) = (answer for status, answer in answers.items() if status.startswith("2"))
            schema = _schema_name(done.get("content", {}).get("application/json", {}))
            if name in recorded and schema:
                yield schema, recorded[name]


def _schema_name(content: Mapping[str, Any]) -> str:
    return str(content.get("schema", {}).get("$ref", ""))


def _names(operation: Mapping[str, Any]) -> list[str]:
    return [parameter["name"] for parameter in operation.get("parameters", ())]


def _errors(path: str, operation: Mapping[str, Any]) -> Iterator[type[CodedError]]:
    """Yields the errors that the route of `operation` does not have to declare."""
    has_body = "requestBody" in operation
    if path.startswith(_API):
        yield from (Unauthorized, InsufficientScope, RateLimited, Unavailable)
        if has_body:
            yield UnsupportedMediaType
    if path.startswith(_API) or not has_body:
        yield InvalidRequest
    if "sessionId" in _names(operation):
        yield SessionNotFound
    if "templateId" in _names(operation):
        yield TemplateNotFound
    if "Idempotency-Key" in _names(operation):
        yield from IDEMPOTENCY_ERRORS
    if has_body and "413" not in operation["responses"]:
        yield BodyTooLarge


def _add_codes(answers: dict[str, Any], status: str, more: Mapping[str, Any]) -> None:
    """Adds the codes of `more` to the response with that status, besides its own codes."""
    examples = more["content"]["application/json"]["examples"]
    if status not in answers:
        content = {"application/json": {"examples": examples, "schema": _ERROR}}
        answers[status] = {"description": more["description"], "content": content}
        return
    codes = answers[status]["content"]["application/json"]["examples"]
    for code in [code for code in examples if code not in codes]:
        codes[code] = examples[code]
        answers[status]["description"] += f", `{code}`"


_BODY_ISSUES = {
    "FileUpload": ("/data", "This member is required."),
    "RecipientUpdate": ("/email", "Enter a full email address, like ada@example.com."),
    "SessionArchive": ("/reason", "This is longer than 1000 characters. Shorten it."),
    "ReminderCreate": ("/recipientEmail", "Enter a full email address, like ada@example.com."),
    "InvitationCreate": ("/recipientEmail", "Enter a full email address, like ada@example.com."),
}
_PARAMETER_ISSUES = {
    "limit": ("/limit", "This must be 100 or less."),
    "permanent": ("/permanet", "Unknown query parameter; perhaps “permanent” is meant."),
    "Idempotency-Key": ("/Idempotency-Key", "An Idempotency-Key has 1 to 255 printable ASCII characters."),
}


def _fit_examples(operation: dict[str, Any]) -> None:
    """Replaces the issues in examples by issues that `operation` can have."""
    examples = operation["responses"].get("400", {}).get("content", {}).get("application/json", {}).get("examples", {})
    for code, issue_of in (("INVALID_REQUEST", _request_issue), ("DOCUMENT_VALIDATION_FAILED", _document_issue)):
        if code in examples:
            value = examples[code]["value"]
            examples[code] = {"value": {**value, "issues": [issue_of(operation, value["issues"][0])]}}


def _request_issue(operation: Mapping[str, Any], default: dict[str, Any]) -> dict[str, Any]:
    if "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        path, message = _BODY_ISSUES.get(schema, (default["path"], default["message"]))
    else:
        names = _names(operation)
        path, message = next((issue for name, issue in _PARAMETER_ISSUES.items() if name in names), ("", NO_BODY))
    return {"path": path, "message": message}


def _document_issue(operation: Mapping[str, Any], default: dict[str, Any]) -> dict[str, Any]:
    has_files = operation["operationId"] == "createSession"
    return default if has_files else {**default, "path": default["path"].removeprefix("/files/0")}


def _add_headers(path: str, operation: dict[str, Any]) -> None:
    is_oauth = path in _OAUTH
    uncounted = {"500", "503"} if is_oauth else {"401", "500", "503"}
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        conditions = {
            "X-Request-Id": True,
            "RateLimit-Policy": (is_oauth or path.startswith(_API)) and status not in uncounted,
            "RateLimit": (is_oauth or path.startswith(_API)) and status not in uncounted,
            "Retry-After": status in {"429", "503"}
            or bool(RETRIED & set(content.get("application/json", {}).get("examples", ()))),
            "WWW-Authenticate": status in {"401", "403"} and (is_oauth or path.startswith(_API)),
            "Content-Disposition": content.keys() == {"application/pdf"},
            "Idempotency-Replayed": status == "200" and "Idempotency-Key" in _names(operation),
        }
        answer["headers"] = {
            name: {"$ref": f"#/components/headers/{name}"} for name, applies in conditions.items() if applies
        }
