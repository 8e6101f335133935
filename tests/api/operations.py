"""The operations of the API, from its description: tests that walk it cover new routes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.api.service import EVERYTHING, Service

OURS = ("/api/", "/oidc/", "/.well-known/", "/objects/", "/healthz", "/readyz")

PUBLIC = {
    "/oidc/token": "takes the id and the secret of a client, or a code or token that a person's leave brought",
    "/oidc/revoke": "takes the token that it ends",
    "/oidc/register": "gives nothing until a person has approved the program",
    "/.well-known/jwks.json": "public keys",
    "/.well-known/oauth-authorization-server": "public addresses",
    "/.well-known/oauth-protected-resource/mcp": "public addresses",
    "/.well-known/oauth-protected-resource/api/v1": "public addresses",
    "/objects/{token}": "the token is signed, and is all that is needed for its time",
    "/healthz": "for the operator's network",
    "/readyz": "for the operator's network",
}
"""Whatever takes no access token, and why. What is not here must ask for one."""

PLACEHOLDER = "no-identifier"

_UPLOADS = {"/api/v1/Image/{fileId}": "imageId", "/api/v1/File/{fileId}": "uploadedFileId"}


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    described: Mapping[str, Any]

    @property
    def ways(self) -> list[frozenset[str]]:
        """The scopes that open it: all of any one set."""
        return [frozenset(way["accessToken"]) for way in self.described.get("security", []) if "accessToken" in way]

    @property
    def other_scopes(self) -> tuple[str, ...]:
        """All the scopes that do not open it."""
        opening = frozenset().union(*self.ways)
        return tuple(scope for scope in EVERYTHING if scope not in opening)

    @property
    def identifiers(self) -> list[str]:
        return [parameter["name"] for parameter in self._parameters if parameter["in"] == "path"]

    @property
    def query(self) -> list[str]:
        return [parameter["name"] for parameter in self._parameters if parameter["in"] == "query"]

    @property
    def headers(self) -> list[str]:
        return [parameter["name"] for parameter in self._parameters if parameter["in"] == "header"]

    @property
    def queries(self) -> list[str]:
        """No query, and one for each switch of it."""
        switches = [p["name"] for p in self._parameters if p["in"] == "query" and p["schema"].get("type") == "boolean"]
        return ["", *(f"?{name}=true" for name in switches)]

    @property
    def takes_body(self) -> bool:
        return "requestBody" in self.described

    @property
    def members(self) -> set[str]:
        """The members of its JSON body, however deep: `Schema.member`."""
        return set(_members(self.described.get("requestBody"), set()))

    @property
    def _parameters(self) -> list[dict[str, Any]]:
        return list(self.described.get("parameters", []))

    def url(self, identifiers: Mapping[str, str] | None = None) -> str:
        """Its address with these identifiers; those that are left out are none."""
        return self.path.format(**{name: (identifiers or {}).get(name, PLACEHOLDER) for name in self.identifiers})

    def url_on(self, belongings: Mapping[str, str]) -> str:
        """Its address with something that is there: uploads are called `fileId` in paths, as files of sessions are."""
        kind = _UPLOADS.get(self.path, "fileId")
        return self.url({**belongings, "fileId": belongings[kind]})

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def nodes(node: object) -> Iterator[dict[str, Any]]:
    """Yields every object in `node`."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(inner)


def _members(node: object, seen: set[str]) -> Iterator[str]:
    """The members of every schema that is referred to from `node`."""
    if isinstance(node, list):
        for part in node:
            yield from _members(part, seen)
    if not isinstance(node, dict):
        return
    name = str(node.get("$ref", "")).rpartition("/")[2]
    if name and name not in seen:
        seen.add(name)
        schema = DESCRIPTION["components"]["schemas"][name]
        yield from (f"{name}.{member}" for member in schema.get("properties", {}))
        yield from _members(schema, seen)
    for part in node.values():
        yield from _members(part, seen)


def _operations(description: Mapping[str, Any]) -> Iterator[Operation]:
    for path, item in description["paths"].items():
        for method, described in item.items():
            if isinstance(described, dict) and "responses" in described:
                yield Operation(method.upper(), path, described)


def _description() -> dict[str, Any]:
    """As JSON has it, sorted, so that all processes of a test run list the same operations in the same order."""
    described: dict[str, Any] = json.loads(json.dumps(Service().app.openapi(), sort_keys=True))
    described["paths"] = {path: item for path, item in described["paths"].items() if path.startswith(OURS)}
    return described


DESCRIPTION = _description()
"""That of the application, without the pages."""

OPERATIONS = list(_operations(DESCRIPTION))
SECURED = [operation for operation in OPERATIONS if operation.path not in PUBLIC]

every_operation = pytest.mark.parametrize("operation", SECURED, ids=str)
every_operation_on_something = pytest.mark.parametrize(
    "operation", [operation for operation in SECURED if operation.identifiers], ids=str
)
every_operation_with_a_body = pytest.mark.parametrize(
    "operation", [operation for operation in SECURED if operation.takes_body], ids=str
)
