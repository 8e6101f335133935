"""MCP prompts that users select: drafting an agreement."""

from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    EmbeddedResource,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
    TextResourceContents,
)

from api.mcp.resources import GUIDE

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
