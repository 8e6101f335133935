"""All tools, by name (Specification 11)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from api.mcp.tool import Tool
from api.mcp.tools import files, previews, session_actions, sessions, templates

_ALL: tuple[Tool[Any], ...] = (
    sessions.CREATE,
    previews.PREVIEW,
    sessions.GET,
    sessions.LIST,
    sessions.VALUES,
    session_actions.SEND,
    session_actions.INVITE,
    templates.CREATE,
    templates.LIST,
    templates.GET,
    templates.USE,
    templates.RENAME,
    templates.ARCHIVE,
    templates.RESTORE,
    templates.DELETE,
    files.UPLOAD,
    files.DOCUMENTS,
    files.CERTIFICATE,
    session_actions.ARCHIVE,
    session_actions.RESTORE,
    session_actions.DELETE,
)

TOOLS: Mapping[str, Tool[Any]] = MappingProxyType({tool.name: tool for tool in _ALL})
