"""An MCP server that forwards all requests to a service.

Tools, resources, prompts and errors are those of the service.
"""

from typing import Any

from mcp.client import Client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import (
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
)

Context = ServerRequestContext[Any, Any]
Page = PaginatedRequestParams | None


def proxy_to(service: Client) -> Server[Any]:
    """Returns a server that forwards to `service`."""

    async def tools(_: Context, __: Page) -> ListToolsResult:
        return await service.list_tools()

    async def call(_: Context, params: CallToolRequestParams) -> CallToolResult:
        return await service.call_tool(params.name, params.arguments)

    async def resources(_: Context, __: Page) -> ListResourcesResult:
        return await service.list_resources()

    async def resource(_: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        return await service.read_resource(str(params.uri))

    async def prompts(_: Context, __: Page) -> ListPromptsResult:
        return await service.list_prompts()

    async def prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult:
        return await service.get_prompt(params.name, params.arguments)

    known = service.server_info
    return Server(
        known.name if known else "undersign",
        title=known.title if known else None,
        version=known.version if known else "",
        instructions=service.instructions,
        on_list_tools=tools,
        on_call_tool=call,
        on_list_resources=resources,
        on_read_resource=resource,
        on_list_prompts=prompts,
        on_get_prompt=prompt,
    )
