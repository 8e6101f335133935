"""Operations are named by one rule: a verb that follows from the method and the path, and the specification's noun."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.api.service import Service

API = "/api/v1/"
FEED = "GET /api/v1/Events"
"""The events of all sessions, beside those of one session, which are List Events."""

BEGINNINGS = {
    "Get": {"Returns"},
    "List": {"Lists"},
    "Create": {"Creates"},
    "Delete": {"Deletes", "Archives"},
    "Send": {"Sends", "Invites"},
    "Restore": {"Restores"},
    "Upload": {"Uploads"},
    "Preview": {"Previews"},
    "Activate": {"Activates"},
    "Redeliver": {"Redelivers"},
    "Update": {"Updates", "Renames"},
}
"""The verbs of operations, and how the description of such an operation begins."""

SPECIFIED = {
    "POST /api/v1/Session": "Create Session",
    "GET /api/v1/Session/{sessionId}": "Get Session",
    "DELETE /api/v1/Session/{sessionId}": "Delete Session",
    "GET /api/v1/Session/{sessionId}/Document/{fileId}": "Get Document",
    "GET /api/v1/Session/{sessionId}/Certificate": "Get Certificate",
    "POST /api/v1/Template": "Create Template",
    "POST /api/v1/SessionFromTemplate": "Create Session From Template",
    "POST /api/v1/Image": "Upload Image",
}
"""What the specification itself calls by a name."""


class Operation(NamedTuple):
    where: str
    described: dict[str, Any]
    answer: dict[str, Any]

    @property
    def method(self) -> str:
        return self.where.partition(" ")[0]

    @property
    def parts(self) -> list[str]:
        """The path below `/api/v1`, with parameters as empty parts."""
        path = self.where.partition(API)[2]
        return ["" if part.startswith("{") else part for part in path.split("/")]


def operations(service: Service) -> Iterator[Operation]:
    description = service.app.openapi()
    for path, item in description["paths"].items():
        for method, operation in item.items() if path.startswith(API) else ():
            content = operation["responses"]["200"].get("content", {})
            name = str(content.get("application/json", {}).get("schema", {}).get("$ref", "")).rpartition("/")[2]
            answer = description["components"]["schemas"].get(name, {})
            yield Operation(f"{method.upper()} {path}", operation, answer)


def name_by_rule(operation: Operation) -> str:
    """The summary that follows from the method, the path and the answer."""
    *before, last = [part for part in operation.parts if part]
    noun = words(last)
    if operation.where == FEED:
        return "Get Feed"
    if operation.method == "GET":
        members = operation.answer.get("properties", {})
        is_list = members.get(last[0].lower() + last[1:], {}).get("type") == "array"
        return f"{'List' if is_list else 'Get'} {noun}"
    if operation.method == "DELETE":
        return f"Delete {noun}"
    if operation.method == "PATCH":
        return f"Update {noun}"
    if before:  # an act on a resource, whose name may say on what
        return noun if " " in noun else f"{noun} {words(before[-1])}"
    return f"{'Upload' if last in {'Image', 'File'} else 'Create'} {noun}"


def words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def test_every_summary_follows_from_method_and_path(service: Service) -> None:
    named = {operation.where: operation.described["summary"] for operation in operations(service)}

    assert named == {operation.where: name_by_rule(operation) for operation in operations(service)}
    assert {where: named[where] for where in SPECIFIED} == SPECIFIED


def test_every_identifier_is_the_summary_in_other_letters(service: Service) -> None:
    for item in service.app.openapi()["paths"].values():
        for operation in item.values():
            joined = operation["summary"].title().replace(" ", "")
            assert operation["operationId"] == joined[0].lower() + joined[1:]


def test_every_description_begins_with_the_verb_of_its_operation(service: Service) -> None:
    for operation in operations(service):
        verb = operation.described["summary"].split()[0]
        assert operation.described["description"].split()[0].strip(".,:") in BEGINNINGS[verb], operation.where


def test_delete_session_is_found_by_the_words_archive_and_permanent(service: Service) -> None:
    described = service.app.openapi()["paths"]["/api/v1/Session/{sessionId}"]["delete"]["description"]

    assert "Archives" in described
    assert "permanent" in described
