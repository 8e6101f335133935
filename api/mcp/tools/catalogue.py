"""All tools, by name (Specification 11)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from api.mcp.tool import Tool
from api.mcp.tools import files, previews, session_actions, sessions, templates

_ALL: tuple[Tool[Any], ...] = (
    sessions.create_session,
    previews.preview_document,
    sessions.get_session,
    sessions.list_sessions,
    sessions.get_values,
    session_actions.send_session,
    session_actions.send_invitation,
    templates.create_template,
    templates.list_templates,
    templates.get_template,
    templates.create_session_from_template,
    templates.rename_template,
    templates.archive_template,
    templates.restore_template,
    templates.delete_template,
    files.upload_image,
    files.get_documents,
    files.get_certificate,
    session_actions.archive_session,
    session_actions.restore_session,
    session_actions.delete_session,
)

TOOLS: Mapping[str, Tool[Any]] = MappingProxyType({tool.name: tool for tool in _ALL})
