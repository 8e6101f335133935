"""Examples of errors that can occur where they stand: each kind of operation has its own mistakes."""

from collections.abc import Mapping
from typing import Any

from api.strict_queries import NO_BODY

_OF_BODIES: Mapping[str, tuple[str, str]] = {
    "FileUpload": ("/data", "This member is required."),
    "InvitationCreate": ("/recipientEmail", "This is not an email address. Give one, as in ada@example.com."),
}
_OF_PARAMETERS: Mapping[str, tuple[str, str]] = {
    "limit": ("/limit", "Input should be less than or equal to 100."),
    "permanent": ("/permanet", "Unknown query parameter; perhaps “permanent” is meant."),
    "Idempotency-Key": ("/Idempotency-Key", "An Idempotency-Key has 1 to 255 printable ASCII characters."),
}
_OF_OTHERS = ("", NO_BODY)


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
