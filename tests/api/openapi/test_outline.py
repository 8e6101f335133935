"""What the outline of the description shows, and what it leaves to the rules for texts."""

from copy import deepcopy
from typing import Any

import pytest

from tests.api.openapi.outline import outline
from tests.api.operations import DESCRIPTION

CREATE = ("paths", "/api/v1/Session", "post")
SCHEMA = ("components", "schemas", "SessionCreate")


def changed(*path: str, **members: Any) -> str:
    """Returns the outline after a change of the description at `path`; None removes a member."""
    description = deepcopy(DESCRIPTION)
    node = description
    for name in path:
        node = node[name]
    node |= members
    for name in [name for name, value in members.items() if value is None]:
        del node[name]
    return outline(description)


@pytest.mark.parametrize(
    ("path", "members"),
    [
        (("paths",), {"/api/v1/Session": None}),
        (CREATE, {"operationId": "makeSession"}),
        (CREATE, {"security": [{"accessToken": ["read:sessions"]}]}),
        (CREATE, {"requestBody": None}),
        (CREATE, {"parameters": []}),
        ((*CREATE, "responses"), {"422": None}),
        ((*CREATE, "responses", "200"), {"headers": None}),
        ((*CREATE, "responses", "429", "content", "application/json"), {"examples": {"RATE_LIMITED": {}}}),
        (("components", "schemas"), {"SessionCreate": None}),
        (SCHEMA, {"required": []}),
        (SCHEMA, {"additionalProperties": None}),
        ((*SCHEMA, "properties"), {"message": None}),
        ((*SCHEMA, "properties"), {"message": {"type": "integer"}}),
        ((*SCHEMA, "properties", "files"), {"maxItems": 11}),
        (("components", "schemas", "SessionStatus"), {"enum": ["draft"]}),
        (("components", "headers"), {"Retry-After": {"schema": {"type": "string"}}}),
    ],
)
def test_a_change_for_programs_is_shown(path: tuple[str, ...], members: dict[str, Any]) -> None:
    assert changed(*path, **members) != outline(DESCRIPTION)


def test_texts_are_left_out() -> None:
    assert changed(*CREATE, description="Another.", summary="Another") == outline(DESCRIPTION)
    assert changed(*SCHEMA, description="Another.", examples=[]) == outline(DESCRIPTION)
