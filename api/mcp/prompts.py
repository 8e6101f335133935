"""Prompts that a person can pick: drafting an agreement."""

from collections.abc import Mapping

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    EmbeddedResource,
    GetPromptResult,
    ListPromptsResult,
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
    description="Writes an agreement as a block document, shows it, and makes a draft for those who are to sign it.",
    arguments=[
        PromptArgument(name="subject", description="what is to be agreed, in a few sentences", required=True),
        PromptArgument(name="parties", description="who is to sign: names and email addresses, and who signs first"),
        PromptArgument(name="language", description="of the agreement; default: that of the subject"),
    ],
)

_TASK = """\
Draft an agreement for signature with the tools of Undersign.

What is to be agreed: {subject}
Who is to sign: {parties}
Language: {language}

Go on like this:
1. If names, email addresses, amounts or dates that the agreement needs are missing, ask me for them. Invent none.
2. Write it as one block document after the guide below: numbered headings, complete sentences, a field for whatever a \
party has to fill in, and one signature block for each party at the end.
3. Look at it with preview_document. Correct every issue, look at the pictures, and correct what looks wrong.
4. Make a draft with create_session, not sent. Give me its draftUrl, what you decided yourself, and the names and \
addresses that sending it would email.
5. Send it with send_session only after I have said so.

This is no legal advice: say what a lawyer should look at."""

_OPEN = "not said yet"


def list_prompts() -> ListPromptsResult:
    return ListPromptsResult(prompts=[_DRAFT])


def get_prompt(name: str, given: Mapping[str, str]) -> GetPromptResult:
    """The prompt of that name, with what was `given`. Raises `MCPError` for one that there is not."""
    if name != _DRAFT.name:
        raise MCPError(INVALID_PARAMS, f"There is no prompt {name!r}; there is {_DRAFT.name}.")
    if not given.get("subject", "").strip():
        raise MCPError(INVALID_PARAMS, "Say what is to be agreed, in the argument subject.")
    task = _TASK.format(
        subject=given["subject"],
        parties=given.get("parties") or _OPEN,
        language=given.get("language") or "that of the subject",
    )
    guide = TextResourceContents(uri="undersign://guide", mime_type=GUIDE.media_type, text=GUIDE.read())
    return GetPromptResult(
        description=_DRAFT.description,
        messages=[
            PromptMessage(role="user", content=TextContent(type="text", text=task)),
            PromptMessage(role="user", content=EmbeddedResource(type="resource", resource=guide)),
        ],
    )
