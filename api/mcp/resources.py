"""MCP resources: a guide to block documents, and complete examples."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    ListResourcesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextResourceContents,
)

_HERE = Path(__file__).parent
_EXAMPLES = _HERE.parents[1] / "examples"


class Text(NamedTuple):
    name: str
    title: str
    description: str
    media_type: str
    path: Path

    def read(self) -> str:
        return self.path.read_text(encoding="utf-8")


def _example(name: str, title: str, description: str) -> Text:
    return Text(name, title, description, "application/json", _EXAMPLES / f"{name}.json")


GUIDE = Text(
    "guide",
    "Writing block documents",
    "All blocks, inputs and rules of block documents, and the steps to a signature. Read it before writing.",
    "text/markdown",
    _HERE / "guide.md",
)

TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "undersign://guide": GUIDE,
        "undersign://examples/consulting-agreement": _example(
            "consulting-agreement",
            "Example: an agreement between two companies",
            "The input of create_session: three pages, two signers in order, a schedule that both fill in.",
        ),
        "undersign://examples/new-starter-form": _example(
            "new-starter-form",
            "Example: a form with inputs of every kind",
            "The input of create_session: rows of fields, choices, dates and initials, for an employee and a manager.",
        ),
        "undersign://examples/lease-template": _example(
            "lease-template",
            "Example: a template with variables",
            "The input of create_template: a lease with variables for tenant, address, dates and amounts.",
        ),
    }
)
"""The resources by URI."""


async def list_resources(_: Any, __: PaginatedRequestParams | None) -> ListResourcesResult:  # noqa: ANN401  # of the SDK
    return ListResourcesResult(
        resources=[
            Resource(
                uri=uri,
                name=text.name,
                title=text.title,
                description=text.description,
                mime_type=text.media_type,
                size=text.path.stat().st_size,
            )
            for uri, text in TEXTS.items()
        ]
    )


async def read_resource(_: Any, params: ReadResourceRequestParams) -> ReadResourceResult:  # noqa: ANN401  # of the SDK
    """Returns the resource at a URI. Raises `MCPError` if there is none."""
    uri = str(params.uri)
    text = TEXTS.get(uri)
    if text is None:
        raise MCPError(INVALID_PARAMS, f"There is no resource {uri}; there are: {', '.join(TEXTS)}.", {"uri": uri})
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=text.media_type, text=text.read())])
