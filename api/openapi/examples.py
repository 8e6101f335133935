"""Examples of answers: one of each that succeeds, and of errors those that can occur where they stand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from asgi.query_validation import NO_BODY
from schemas.health import NotReady

_OF_BODIES: Mapping[str, tuple[str, str]] = {
    "FileUpload": ("/data", "This member is required."),
    "InvitationCreate": ("/recipientEmail", "This is not an email address. Give one, as in ada@example.com."),
}
_OF_PARAMETERS: Mapping[str, tuple[str, str]] = {
    "limit": ("/limit", "This must be 100 or less."),
    "permanent": ("/permanet", "Unknown query parameter; perhaps “permanent” is meant."),
    "Idempotency-Key": ("/Idempotency-Key", "An Idempotency-Key has 1 to 255 printable ASCII characters."),
}
_OF_OTHERS = ("", NO_BODY)

ANSWERS = Path(__file__).with_name("answers.json")
"""Answers of a service, recorded: one of each operation that answers JSON, by `operationId`."""

_OF_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "Registration": {
        "client_name": "Contract assistant",
        "redirect_uris": ["https://assistant.example.com/callback"],
    },
    "RegistrationErrorRead": {
        "error": "invalid_redirect_uri",
        "error_description": "A redirect_uri is an https address without a fragment.",
    },
    "TokenErrorRead": {"error": "invalid_client", "error_description": "The client id or the secret is wrong."},
    "ErrorRead": {"message": "There is nothing at this address.", "error": "NOT_FOUND"},
    "NotReady": {
        "message": NotReady.model_fields["message"].default,
        "error": NotReady.model_fields["error"].default,
        "dependencies": [
            {"name": "mail", "ready": False, "needed": False, "advice": "Look at the mail server's address and login."}
        ],
    },
}
_OF_FORMS: Mapping[str, Mapping[str, str]] = {
    "createToken": {"grant_type": "client_credentials", "scope": "read:sessions write:sessions"},
    "revokeToken": {"token": "eyJhbGciOiJFUzI1NiJ9..."},
}


def add_requests(described: dict[str, Any]) -> None:
    """Adds examples to forms, and to schemas that have none of their own, in place."""
    for name, example in _OF_SCHEMAS.items():
        described["components"]["schemas"][name]["examples"] = [example]
    for item in described["paths"].values():
        for operation in item.values():
            if operation["operationId"] in _OF_FORMS:
                (form,) = operation["requestBody"]["content"].values()
                form["example"] = _OF_FORMS[operation["operationId"]]


def add_answers(described: dict[str, Any]) -> None:
    """Adds the recorded answers to `described`, in place."""
    answers: dict[str, Any] = json.loads(ANSWERS.read_text("utf-8"))
    for item in described["paths"].values():
        for operation in item.values():
            done = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
            if operation["operationId"] in answers:
                done["content"]["application/json"]["example"] = answers[operation["operationId"]]


def fit(operation: dict[str, Any]) -> None:
    """Puts examples that fit `operation` into its answers, in place."""
    examples = operation["responses"].get("400", {}).get("content", {}).get("application/json", {}).get("examples", {})
    for code, find in (("INVALID_REQUEST", _mistake), ("DOCUMENT_VALIDATION_FAILED", _place)):
        if code in examples:
            value = examples[code]["value"]
            issue = {**value["issues"][0], **find(operation, value["issues"][0])}
            examples[code] = {"value": {**value, "issues": [issue]}}


def _mistake(operation: dict[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if body:
        name = str(body["$ref"]).rpartition("/")[2]
        path, message = _OF_BODIES.get(name, (common["path"], common["message"]))
    else:
        names = [parameter["name"] for parameter in operation.get("parameters", ())]
        path, message = next((found for name, found in _OF_PARAMETERS.items() if name in names), _OF_OTHERS)
    return {"path": path, "message": message}


def _place(operation: dict[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    is_of_files = operation["operationId"] == "createSession"
    return {"path": common["path"] if is_of_files else str(common["path"]).removeprefix("/files/0")}
