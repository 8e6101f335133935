"""Errors of tools: the API's own bodies, as results that an assistant can read and act on."""

from collections.abc import Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent

from schemas.errors import ErrorRead


def refused_result(body: ErrorRead, headers: Mapping[str, str]) -> CallToolResult:
    """The result of a call that was refused: `body` as structured content and as text."""
    written = body.model_dump_json(exclude_none=True)
    after = headers.get("Retry-After")
    meta: dict[str, Any] = {"_meta": {"retryAfterSeconds": int(after)}} if after else {}
    return CallToolResult(
        content=[TextContent(type="text", text=written)],
        structured_content=body.model_dump(mode="json", exclude_none=True),
        is_error=True,
        **meta,
    )
