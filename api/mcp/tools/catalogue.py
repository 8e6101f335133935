"""All tools, by name (Specification 11)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from api.mcp.calls import Tool
from api.mcp.tools import acts, files, previews, sessions, templates

_ALL: tuple[Tool[Any], ...] = (
    sessions.CREATE,
    previews.PREVIEW,
    sessions.GET,
    sessions.LIST,
    sessions.VALUES,
    acts.SEND,
    acts.INVITE,
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
    acts.ARCHIVE,
    acts.RESTORE,
    acts.DELETE,
)

TOOLS: Mapping[str, Tool[Any]] = MappingProxyType({tool.name: tool for tool in _ALL})
