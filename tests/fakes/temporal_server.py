"""A server that speaks Temporal's protocol and does nothing that it is asked for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
from grpc import aio


class _Unwilling(grpc.GenericRpcHandler):
    def __init__(self, status: grpc.StatusCode | None, greets: bool) -> None:
        self._status, self._greets = status, greets

    def service(self, call: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        is_greeting = call.method.endswith("/GetSystemInfo")

        async def answer(_: bytes, context: aio.ServicerContext) -> bytes:
            if is_greeting and self._greets:
                return b""
            if self._status is None:
                await asyncio.Event().wait()
            await context.abort(self._status, "words of the server")
            raise AssertionError

        return grpc.unary_unary_rpc_method_handler(answer)


@asynccontextmanager
async def unwilling_server(status: grpc.StatusCode | None, *, greets: bool = True) -> AsyncIterator[str]:
    """The address of one that answers every call with `status`, or never if it is None.

    One that `greets` lets clients connect before that.
    """
    server = aio.server()
    server.add_generic_rpc_handlers((_Unwilling(status, greets),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)
