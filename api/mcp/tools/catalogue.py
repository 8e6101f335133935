"""All tools, by name (Specification 11)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from api.mcp.tool import Tool
from api.mcp.tools import batches, files, previews, session_actions, sessions, templates

TOOLS: Mapping[str, Tool[Any]] = MappingProxyType(
    {
        tool.name: tool
        for module in (previews, sessions, session_actions, templates, batches, files)
        for tool in vars(module).values()
        if isinstance(tool, Tool)
    }
)
