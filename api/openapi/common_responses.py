"""What every operation has in common: answers that any of them may give, and headers of answers."""

from typing import Any

from api.openapi import examples
from application.errors import BodyTooLarge, InvalidRequest, RateLimited
from asgi.error_handlers import ERROR_MAPPINGS, FRAMEWORK_ERRORS, error_responses
from schemas.errors import ErrorRead

_METHODS = frozenset({"get", "put", "post", "delete", "patch"})
_API = "/api/v1/"
_OAUTH = ("/oidc/token", "/oidc/revoke", "/oidc/register")
_COUNTED = ("/api/v1/", *_OAUTH)
_DONE = {"200", "201"}
_FILE = "application/pdf"
_RETRIED = frozenset(problem.code for problem in ERROR_MAPPINGS.values() if problem.retry)


def _text(description: str, example: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}, "example": example}


HEADERS: dict[str, Any] = {
    "X-Request-Id": _text("the identifier of the request, which finds it in the logs", "order 7/2026"),
    "Retry-After": {
        "description": "seconds after which the same request may succeed",
        "schema": {"type": "integer", "minimum": 1},
        "example": 2,
    },
    "RateLimit-Policy": _text("the quota: its name, requests (`q`) in so many seconds (`w`)", '"reads";q=600;w=60'),
    "RateLimit": _text("what is left of it (`r`), and the seconds until all of it is back (`t`)", '"reads";r=599;t=60'),
    "Idempotency-Replayed": {
        "description": "`true` when this is the first answer once more",
        "schema": {"const": "true", "type": "string"},
        "example": "true",
    },
    "WWW-Authenticate": _text(
        'how to get in. Of the API (RFC 6750 section 3): `Bearer`, with `error="invalid_token"` for a token '
        'that is not valid, with `error="insufficient_scope"` and the `scope` that is needed for one that does not '
        "allow this, and without either where there is no token. Of the token endpoint: `Basic` (RFC 7617)",
        'Bearer error="insufficient_scope", scope="read:sessions"',
    ),
    "Content-Disposition": _text(
        "`attachment`, with the name of the file (RFC 6266)",
        "attachment; filename=\"Lease.pdf\"; filename*=UTF-8''Lease.pdf",
    ),
}


def complete(described: dict[str, Any]) -> None:
    """Adds to `described`, in place, what is true of all operations."""
    described["components"]["headers"] = HEADERS
    for path, item in described["paths"].items():
        for method, operation in item.items():
            if method in _METHODS:
                _add_answers(path, operation)
                _add_headers(path, operation)


def _add_answers(path: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    for status in _DONE & answers.keys():
        if answers[status]["description"] == "Successful Response":  # FastAPI's words
            answers[status]["description"] = "Done"
    if path.startswith(_API):
        answers.update(_only_new(answers, _referred(error_responses(RateLimited))))
    if path.startswith(_API) or "requestBody" not in operation:
        _add_code(answers, _referred(error_responses(InvalidRequest)))
        examples.fit(operation)
    _add_code(answers, {"500": _framework_answer(500)})
    if "requestBody" in operation:
        answers.update(_only_new(answers, _referred(error_responses(BodyTooLarge))))
    operation["responses"] = dict(sorted(answers.items()))


def _add_code(answers: dict[str, Any], more: dict[str, Any]) -> None:
    """Adds codes of errors to `answers`, also to one that is there for another code."""
    for status, new in more.items():
        there = answers.setdefault(status, new)
        own = there["content"]["application/json"]["examples"]
        for code, example in new["content"]["application/json"]["examples"].items():
            if code not in own:
                own[code] = example
                there["description"] += f", `{code}`"


def _only_new(answers: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return {status: answer for status, answer in more.items() if status not in answers}


def _referred(answers: dict[int | str, dict[str, Any]]) -> dict[str, Any]:
    """`answers` as they are in a finished description: the schema by reference, the status as text."""
    return {
        str(status): {
            "description": answer["description"],
            "content": {"application/json": {**answer["content"]["application/json"], **_SCHEMA}},
        }
        for status, answer in answers.items()
    }


_SCHEMA = {"schema": {"$ref": f"#/components/schemas/{ErrorRead.__name__}"}}


def _framework_answer(status: int) -> dict[str, Any]:
    code, message = FRAMEWORK_ERRORS[status]
    examples = {code: {"value": {"message": message, "error": code}}}
    return {"description": f"`{code}`", "content": {"application/json": {"examples": examples, **_SCHEMA}}}


def _is_counted(path: str, status: str) -> bool:
    """Whether the call was counted before it was answered so: of the API after its token was accepted."""
    if path in _OAUTH:
        return status not in {"500", "503"}
    return path.startswith(_API) and status not in {"401", "500", "503"}


def _codes(answer: dict[str, Any]) -> set[str]:
    """The codes of errors that an answer may have."""
    return set(answer.get("content", {}).get("application/json", {}).get("examples", ()))


def _add_headers(path: str, operation: dict[str, Any]) -> None:
    names = {parameter["name"] for parameter in operation.get("parameters", ())}
    for status, answer in operation["responses"].items():
        wanted = ["X-Request-Id"]
        if _is_counted(path, status):
            wanted += ["RateLimit-Policy", "RateLimit"]
        if status in {"429", "503"} or _RETRIED & _codes(answer):
            wanted.append("Retry-After")
        if status in {"401", "403"} and path.startswith(_COUNTED):
            wanted.append("WWW-Authenticate")
        if answer.get("content", {}).keys() == {_FILE}:
            wanted.append("Content-Disposition")
        if status == "200" and "Idempotency-Key" in names:
            wanted.append("Idempotency-Replayed")
        answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in wanted}
