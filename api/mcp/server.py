"""The server of one application: what it offers, and how a call becomes a call of the API's functions."""

import json
from collections.abc import Mapping
from time import perf_counter
from typing import Any

import structlog
from fastapi import FastAPI
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as Listed
from starlette.requests import Request

from api.mcp.prompts import get_prompt, list_prompts
from api.mcp.resources import list_resources, read_resource
from api.mcp.schemas import input_schema, output_schema
from api.mcp.tool import Answer, Call, Effect, Tool
from api.mcp.tools.catalogue import TOOLS
from api.openapi.description import description_of
from application.errors import InsufficientScope
from application.oauth.authenticate import Identity
from application.services import Services
from asgi.dependencies import caller_of
from asgi.error_handlers import body_of, headers_of, internal_error
from domain.shared.version import VERSION
from schemas.errors import ErrorRead

log = structlog.get_logger(__name__)

INSTRUCTIONS = """\
Undersign sends agreements to be signed. A session holds the documents and the people who fill them in and sign. \
Write a document as blocks and look at it with preview_document; create_session makes a draft of it, which nobody is \
told of, and send_session emails the recipients. Show people what you are about to send, and to whom, before you do."""

Context = ServerRequestContext[Any, Request]


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


def create_server(app: FastAPI) -> Server[Any]:
    """The server of `app`. It keeps nothing between two requests."""
    services: Services = app.state.services
    listed: list[Listed] = []

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        if not listed:
            described = await description_of(app)
            listed[:] = [_shown(tool, described) for tool in TOOLS.values()]
        return ListToolsResult(tools=listed)

    async def call_tool(context: Context, asked: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS.get(asked.name)
        if tool is None or context.request is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {asked.name!r}; there are: {', '.join(TOOLS)}.")
        return await _answer(tool, services, context.request, asked.arguments or {})

    async def resources(_: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        return list_resources()

    async def resource(_: Context, asked: ReadResourceRequestParams) -> ReadResourceResult:
        return read_resource(str(asked.uri))

    async def prompts(_: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        return list_prompts()

    async def prompt(_: Context, asked: GetPromptRequestParams) -> GetPromptResult:
        return get_prompt(asked.name, asked.arguments or {})

    return Server(
        "undersign",
        title="Undersign",
        version=VERSION,
        instructions=INSTRUCTIONS,
        website_url=services.base_url,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=resources,
        on_read_resource=resource,
        on_list_prompts=prompts,
        on_get_prompt=prompt,
    )


def check_scope(tool: Tool[Any], identity: Identity) -> None:
    """Raises `InsufficientScope` unless `identity` has one of the scopes that open `tool`."""
    if not identity.scopes & frozenset(tool.scopes):
        raise InsufficientScope(tool.scopes[0])


async def _answer(tool: Tool[Any], services: Services, request: Request, sent: dict[str, Any]) -> CallToolResult:
    began, outcome = perf_counter(), "ok"
    try:
        answer = await _act(tool, services, request, sent)
    except Exception as error:
        body = body_of(error)
        if body is None:
            log.exception("unexpected error", tool=tool.name)
            body = internal_error()
        outcome = body.error
        return refused_result(body, headers_of(error))
    else:
        return CallToolResult(content=list(_content(answer)), structured_content=json.loads(answer.body))
    finally:
        log.info("tool", tool=tool.name, outcome=outcome, milliseconds=round((perf_counter() - began) * 1000, 1))


async def _act(tool: Tool[Any], services: Services, request: Request, sent: dict[str, Any]) -> Answer:
    identity: Identity = request.state.identity
    check_scope(tool, identity)
    caller = caller_of(request, identity)
    asked = await tool.read(services, caller, sent, tool.asked)
    return await tool.act(Call(services, caller, asked, tool.name, sent))


def _content(answer: Answer) -> list[Any]:
    texts = [TextContent(type="text", text=text) for text in (answer.note, answer.body) if text]
    return [*texts, *answer.attached]


def _shown(tool: Tool[Any], described: Mapping[str, Any]) -> Listed:
    return Listed(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=input_schema(tool, described),
        output_schema=output_schema(tool, described),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.effect is Effect.READS,
            destructive_hint=tool.effect is Effect.DESTROYS,
            idempotent_hint=tool.is_idempotent,
            open_world_hint=tool.reaches_people,
        ),
    )
