"""The OpenAPI description, compared with the one that was reviewed.

To accept a change: look at `tests/goldens/openapi.actual.json`, then move it over `openapi.json`.
"""

import json
from pathlib import Path
from typing import Any

from api.scopes import MEANINGS
from tests.api.service import Service

GOLDENS = Path(__file__).parents[1] / "goldens"
OURS = ("/api/", "/oidc/", "/.well-known/", "/objects/", "/healthz", "/readyz")


def described(service: Service) -> dict[str, Any]:
    """The description of what this package serves; pages come and go without changing the contract."""
    description = json.loads(json.dumps(service.app.openapi()))
    description["paths"] = {path: item for path, item in description["paths"].items() if path.startswith(OURS)}
    return dict(description)


async def test_the_description_is_the_one_that_was_reviewed(service: Service) -> None:
    actual = json.dumps(described(service), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    written = GOLDENS / "openapi.actual.json"

    if actual != (GOLDENS / "openapi.json").read_text():
        written.write_text(actual)

    assert actual == (GOLDENS / "openapi.json").read_text(), f"see {written}"
    written.unlink(missing_ok=True)


async def test_every_reference_leads_somewhere(service: Service) -> None:
    description = service.app.openapi()
    names = description["components"]["schemas"].keys()

    def references(node: object) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return own + [found for value in node.values() for found in references(value)]
        return [found for value in node for found in references(value)] if isinstance(node, list) else []

    assert {reference.rsplit("/", 1)[1] for reference in references(description)} <= names


async def test_every_route_of_the_api_names_its_scope_and_its_refusals(service: Service) -> None:
    for path, item in service.app.openapi()["paths"].items():
        if not path.startswith("/api/v1"):
            continue
        for operation in item.values():
            assert {scope for way in operation["security"] for scope in way["accessToken"]} <= set(MEANINGS)
            assert all(way["accessToken"] for way in operation["security"])
            assert {"200", "401", "403", "503"} <= operation["responses"].keys()
            assert "HTTPValidationError" not in str(operation["responses"])


async def test_the_description_is_served(service: Service) -> None:
    answer = await service.http(None).get("/openapi.json")

    assert answer.json()["info"]["title"] == "Undersign"
