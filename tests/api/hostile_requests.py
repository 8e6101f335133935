"""Sends every route the largest requests that consist of mistakes, and measures each.

`python -m tests.api.hostile_requests 0 3` sends those of the first of every three operations, and writes JSON: of each
request its name, the status of its answer, its CPU seconds in this process in units of a fixed piece of work, and the
bytes by which the process grew (Linux).
"""

import asyncio
import json
import logging
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import structlog
from fastapi.routing import iter_route_contexts
from starlette.types import ASGIApp, Message

from api.body_limits import limit_of
from api.mcp.server import TOOLS
from application.services import CodecConfig
from domain.ports.process_pool import ProcessDied
from domain.session.signing_links import link_secret, make_token
from domain.shared.ids import SessionId
from tests.api.belongings import make_belongings
from tests.api.hostile_bodies import Body, form_bodies, json_bodies, multipart_bodies
from tests.api.service import OWN, Service, bearer
from tests.fakes.sessions import LINK_KEY
from tests.web.app.office import Office
from tests.web.test_payload_codec import KEYS, OPERATORS, token_of
from web.asgi.http_protocol import MAX_HEAD
from web.payload_codec import PayloadsBody
from workflows.sdk.payload_codec import EncryptionCodec

READING = frozenset({"GET", "HEAD", "OPTIONS"})
PART = 65_536
"""Bytes of one message of a body."""


class Asked(NamedTuple):
    name: str
    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes = b""


class RefusingPool:
    """Child processes have limits of their own: here they do nothing."""

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        raise ProcessDied


class Hostile:
    """A service with belongings of every kind, and requests with access to all of them."""

    def __init__(self) -> None:
        self.service = Service()
        self.identifiers = defaultdict(lambda: "x", number="1", act="decode")
        self.cookies: dict[str, str] = {}

    async def begin(self) -> None:
        await self.service.seed()
        office = Office(self.service)
        await office.seed()
        mine = await make_belongings(self.service, OWN)
        codec, refusing = CodecConfig(EncryptionCodec(KEYS), OPERATORS, frozenset()), RefusingPool()
        self.service.use(codec=codec, pool=refusing, quarantine=refusing, checking=refusing)
        session = self.service.sessions.held[SessionId(mine["sessionId"])]
        person = session.recipients[0]
        secret = link_secret(LINK_KEY, session.session_id, person.recipient_id, person.invitation.number)
        token = make_token(session.organisation_id, session.session_id, secret)
        async with office.browser() as browser:
            await browser.post(f"/sign/{token}")
            self.cookies |= dict(browser.cookies)
        self.cookies |= dict((await office.come_in()).browser.cookies)
        for name, value in {**mine, "token": token}.items():
            snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
            self.identifiers |= {name: value, snake: value}

    def headers(self, path: str) -> dict[str, str]:
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if path.startswith("/codec"):
            return {"Authorization": f"Bearer {token_of()}"}
        if path.startswith(("/api/", "/mcp")):
            return {**bearer(OWN), "Accept": "application/json, text/event-stream"}
        return cookie

    def requests(self, first: int, step: int) -> Iterator[Asked]:
        """Yields the requests of every `step`th operation from `first` on."""
        described = self.service.app.openapi()
        routes = iter_route_contexts(self.service.app.routes)
        operations = ((method, route.path_format) for route in routes for method in sorted(route.methods or ()))
        for method, path in islice(operations, first, None, step):
            url = path.format_map(self.identifiers)
            yield from self._of_head(method, url, path)
            if method not in READING:
                yield from self._of_body(method, url, path, described)

    def _of_head(self, method: str, url: str, path: str) -> Iterator[Asked]:
        headers, size = self.headers(path), MAX_HEAD - 4_000
        for name, query in (
            ("parameters", "a&a=b&" * (size // 6)),
            ("other parameters", "&".join(f"m{number}=1" for number in range(size // 8))),
            ("parameters much like one", "&".join(f"limit{number}=1" for number in range(size // 13))),
            ("a long parameter", "status=" + "pending," * (size // 8)),
            ("escapes", "limit=" + "%41" * (size // 3)),
        ):
            yield Asked(name, method, f"{url}?{query}", headers)
        for field, value in {
            "Cookie": "a=b; " * (size // 5),
            "Authorization": "Bearer " + "a." * (size // 2),
            "Accept": "a/b;q=0.1," * (size // 10),
            "Content-Type": "multipart/form-data;" + "a=b;" * (size // 4),
            "Idempotency-Key": "k" * size,
            "X-Forwarded-For": "1.1.1.1," * (size // 8),
            "Accept-Language": "de;q=0.1," * (size // 9),
        }.items():
            yield Asked(f"long {field}", method, url, {**headers, field: value})
        if "{" in path:
            yield Asked("long identifiers", method, path.format_map(defaultdict(lambda: quote("ä" * 5_000))), headers)

    def _of_body(self, method: str, url: str, path: str, described: Mapping[str, Any]) -> Iterator[Asked]:
        headers, size = self.headers(path), limit_of(url).size
        for body in (*self._json(method, path, size, described), *form_bodies(size), *multipart_bodies(size)):
            sent = {**headers, "Content-Type": body.content_type}
            yield Asked(body.name, method, url, sent, body.content[:size])

    def _json(self, method: str, path: str, size: int, described: Mapping[str, Any]) -> Iterator[Body]:
        if path == "/mcp":
            for tool in TOOLS.values():
                call = {"method": "tools/call", "params": {"name": tool.name, "arguments": "here"}}
                around = json.dumps({"jsonrpc": "2.0", "id": 1, **call})
                schema = tool.model.model_json_schema()
                bodies = json_bodies(schema, schema.get("$defs", {}), size, around)
                # The schemas are those of the API, where they are walked to their ends.
                yield from bodies if tool.name == "create_session" else islice(bodies, 4)
        if path.startswith("/codec"):
            schema = PayloadsBody.model_json_schema()
            yield from json_bodies(schema, schema["$defs"], size)
        operation = described["paths"].get(path, {}).get(method.lower(), {})
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        yield from json_bodies(content.get("schema", {}), described["components"]["schemas"], size)


async def status_of(app: ASGIApp, asked: Asked) -> int:
    """Returns the status of the answer; 500 if there is none."""
    path, _, query = asked.url.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in asked.headers.items()],
        "server": ("sign.example.com", 80),
        "client": ("192.0.2.7", 40000),
    }
    parts = [asked.content[at : at + PART] for at in range(0, len(asked.content), PART)] or [b""]
    messages: Iterator[Message] = iter(
        {"type": "http.request", "body": part, "more_body": part is not parts[-1]} for part in parts
    )
    status = 500

    async def receive() -> Message:
        return next(messages, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)

    await app(scope, receive, send)
    return status


def memory(row: str) -> int:
    """Returns the bytes of this process: `VmRSS` now, `VmHWM` at its peak."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{row}:")[2].split()[0]) * 1024


def unit() -> float:
    """Returns the seconds of a fixed piece of work."""
    began = time.process_time()
    for _ in range(10):
        json.loads(json.dumps([{"number": number, "text": "x" * 20} for number in range(5_000)]))
    return time.process_time() - began


async def measure(first: int, step: int) -> list[tuple[str, int, float, int]]:
    hostile = Hostile()
    await hostile.begin()
    took: list[tuple[str, int, float, int]] = []
    units = [unit()]
    for number, asked in enumerate(hostile.requests(first, step)):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak is measured from here
        before, began = memory("VmRSS"), time.process_time()
        status = await status_of(hostile.service.app, asked)
        seconds = time.process_time() - began
        name = f"{asked.method} {asked.url[:80]} ({len(asked.content)} bytes): {asked.name[:200]}"
        took.append((name, status, seconds, memory("VmHWM") - before))
        if number % 500 == 0:
            units.append(unit())
    median = sorted(units)[len(units) // 2]
    return [(name, status, seconds / median, grown) for name, status, seconds, grown in took]


if __name__ == "__main__":
    logging.disable()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    sys.stdout.write(json.dumps(asyncio.run(measure(*map(int, sys.argv[1:])))))
