"""All tools, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from api.mcp.calls import Tool
from api.mcp.tools import sessions

_ALL: tuple[Tool[Any], ...] = (
    sessions.GET_SESSION,
    sessions.LIST_SESSIONS,
)

TOOLS: Mapping[str, Tool[Any]] = MappingProxyType({tool.name: tool for tool in _ALL})
