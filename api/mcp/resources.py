"""What assistants can read: a guide to block documents, and whole examples."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    TextResourceContents,
)

_HERE = Path(__file__).parent
_EXAMPLES = _HERE.parents[1] / "examples"


class Text(NamedTuple):
    """A text that can be read: what it is called, what it is about, and where it is kept."""

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
    "All blocks, inputs and rules of block documents, and the way from a wish to a signature. Read it before writing.",
    "text/markdown",
    _HERE / "guide.md",
)

TEXTS: Mapping[str, Text] = MappingProxyType(
    {
        "undersign://guide": GUIDE,
        "undersign://examples/consulting-agreement": _example(
            "consulting-agreement",
            "Example: an agreement between two companies",
            "The input of create_session: three pages, two signers one after the other, a schedule that both fill in.",
        ),
        "undersign://examples/new-starter-form": _example(
            "new-starter-form",
            "Example: a form with inputs of every kind",
            "The input of create_session: rows of fields, choices, dates and initials, for an employee and a manager.",
        ),
        "undersign://examples/lease-template": _example(
            "lease-template",
            "Example: a template with variables",
            "The input of create_template: a lease whose tenant, address, dates and amounts are variables.",
        ),
    }
)
"""By their addresses."""


def list_resources() -> ListResourcesResult:
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


def read_resource(uri: str) -> ReadResourceResult:
    """The text at `uri`. Raises `MCPError` where there is none."""
    text = TEXTS.get(uri)
    if text is None:
        raise MCPError(INVALID_PARAMS, f"There is no resource {uri}; there are: {', '.join(TEXTS)}.", {"uri": uri})
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=text.media_type, text=text.read())])
