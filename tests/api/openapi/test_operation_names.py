"""Operations are named by one rule: a verb that follows from the method and the path, and the specification's noun."""

import re

from tests.api.operations import DESCRIPTION, OPERATIONS, Operation

API = "/api/v1/"
FEED = "GET /api/v1/Events"
"""The events of all sessions, beside those of one session, which are List Events."""

VERBS = {"DELETE": "Delete", "PATCH": "Update", "PUT": "Save"}

BEGINNINGS = {
    "Delete": {"Deletes", "Archives"},
    "Send": {"Sends", "Invites"},
    "Get": {"Returns"},
    "Update": {"Updates", "Renames"},
}
"""How the descriptions of operations begin, by verb, where that is not the verb with an s."""

SPECIFIED = {
    "POST /api/v1/Session": "Create Session", "GET /api/v1/Session/{sessionId}": "Get Session",
    "DELETE /api/v1/Session/{sessionId}": "Delete Session",
    "GET /api/v1/Session/{sessionId}/Document/{fileId}": "Get Document",
    "GET /api/v1/Session/{sessionId}/Certificate": "Get Certificate", "POST /api/v1/Template": "Create Template",
    "POST /api/v1/SessionFromTemplate": "Create Session From Template", "POST /api/v1/Image": "Upload Image",
}  # fmt: skip
"""Names in the specification."""


def name_by_rule(operation: Operation) -> str:
    """Returns the summary that follows from the method, the path and the response."""
    *before, last = [part for part in operation.path.partition(API)[2].split("/") if not part.startswith("{")]
    noun = words(last)
    if str(operation) == FEED:
        return "Get Feed"
    if operation.method == "GET":
        content = operation.described["responses"]["200"].get("content", {})
        name = str(content.get("application/json", {}).get("schema", {}).get("$ref", "")).rpartition("/")[2]
        members = DESCRIPTION["components"]["schemas"].get(name, {}).get("properties", {})
        is_list = members.get(last[0].lower() + last[1:], {}).get("type") == "array"
        return f"{'List' if is_list else 'Get'} {noun}"
    if operation.method in VERBS:
        return f"{VERBS[operation.method]} {noun}"
    if before and last not in {"SigningUrl", "Batch"}:  # an act on a resource, whose name may include the resource
        return noun if " " in noun else f"{noun} {words(before[-1])}"
    return f"{'Upload' if last in {'Image', 'File'} else 'Create'} {noun}"


def words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def test_every_summary_follows_from_method_and_path() -> None:
    operations = [operation for operation in OPERATIONS if operation.path.startswith(API)]
    named = {str(operation): operation.described["summary"] for operation in operations}

    assert named == {str(operation): name_by_rule(operation) for operation in operations}
    assert {where: named[where] for where in SPECIFIED} == SPECIFIED


def test_every_identifier_is_the_summary_in_camel_case() -> None:
    for operation in OPERATIONS:
        joined = operation.described["summary"].title().replace(" ", "")
        assert operation.described["operationId"] == joined[0].lower() + joined[1:]


def test_every_description_begins_with_the_verb_of_its_operation() -> None:
    for operation in OPERATIONS:
        if operation.path.startswith(API):
            verb = operation.described["summary"].split()[0]
            beginning = operation.described["description"].split()[0].strip(".,:")
            assert beginning in BEGINNINGS.get(verb, {f"{verb}s"}), operation


def test_delete_session_mentions_archiving_and_permanent() -> None:
    described = DESCRIPTION["paths"]["/api/v1/Session/{sessionId}"]["delete"]["description"]
    assert "Archives" in described
    assert "permanent" in described
