"""MCP prompts, and resources: a guide to block documents, and complete examples."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any, NamedTuple

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    EmbeddedResource,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
)

from api.mcp.block_lists import block_lists

_DRAFT = Prompt(
    name="draft_agreement",
    title="Draft an agreement",
    description="Writes an agreement as a block document, previews it, and creates a draft for its signers.",
    arguments=[
        PromptArgument(name="subject", description="the subject of the agreement, in a few sentences", required=True),
        PromptArgument(name="parties", description="the signers: names and email addresses, and who signs first"),
        PromptArgument(name="language", description="of the agreement; default: the language of the subject"),
    ],
)

_TASK = """\
Draft an agreement for signature with the tools of Undersign.

Subject: {subject}
Signers: {parties}
Language: {language}

Follow these steps:
1. If names, email addresses, amounts or dates that the agreement needs are missing, ask me for them. Invent none.
2. Write it as one block document by the guide below: numbered headings, complete sentences, a field for everything \
that a party fills in, and one signature block for each party at the end.
3. Check it with preview_document. Correct every issue, look at the pictures, and correct what looks wrong.
4. Create a draft with create_session, not sent. Give me its draftUrl, your own decisions, and the names and \
addresses that sending it would email.
5. Send it with send_session only after I have agreed.

This is not legal advice: name the points that a lawyer should check."""

_OPEN = "not known yet"


async def list_prompts(_: Any, __: PaginatedRequestParams | None) -> ListPromptsResult:  # noqa: ANN401  # of the SDK
    return ListPromptsResult(prompts=[_DRAFT])


async def get_prompt(_: Any, params: GetPromptRequestParams) -> GetPromptResult:  # noqa: ANN401  # of the SDK
    """Returns the prompt with that name and its arguments filled in. Raises `MCPError` if there is none."""
    arguments = params.arguments or {}
    if params.name != _DRAFT.name:
        raise MCPError(INVALID_PARAMS, f"There is no prompt {params.name!r}; there is {_DRAFT.name}.")
    if not arguments.get("subject", "").strip():
        raise MCPError(INVALID_PARAMS, "Describe the subject of the agreement in the argument subject.")
    task = _TASK.format(
        subject=arguments["subject"],
        parties=arguments.get("parties") or _OPEN,
        language=arguments.get("language") or "the language of the subject",
    )
    guide = TextResourceContents(uri="undersign://guide", mime_type=GUIDE.media_type, text=GUIDE.read())
    return GetPromptResult(
        description=_DRAFT.description,
        messages=[
            PromptMessage(role="user", content=TextContent(type="text", text=task)),
            PromptMessage(role="user", content=EmbeddedResource(type="resource", resource=guide)),
        ],
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


class Guide(Text):
    """The guide to block documents, with lists from the schema."""

    __slots__ = ()

    @cache  # noqa: B019  # one value
    def read(self) -> str:
        return Template(super().read()).substitute(block_lists())


GUIDE = Guide(
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
                size=len(text.read().encode()),
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
