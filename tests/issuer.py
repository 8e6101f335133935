"""A small OpenID issuer over HTTP: discovery, keys that it can change, and tokens."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

DISCOVERY, KEYS = "/.well-known/openid-configuration", "/keys"


class Asked(NamedTuple):
    """A request: the parameters of its address or form, and its Authorization."""

    parameters: dict[str, str]
    authorization: str


class Answer(NamedTuple):
    """A response of a page that is a function."""

    status: int
    body: Any = None
    location: str | None = None


class Issuer:
    """Serves `pages`, by path: bodies, statuses of errors, or functions from `Asked` to `Answer`.

    `asked` lists the requested paths.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[str] = []
        self.pages: dict[str, Any] = {DISCOVERY: {"issuer": url, "jwks_uri": url + KEYS}}
        self.key: RSAKey | ECKey
        self.use(RSAKey.generate_key(2048, {"kid": "first"}))

    def use(self, *keys: RSAKey | ECKey, **members: Any) -> None:
        """Publishes these keys, and signs with the first from now on."""
        self.key = keys[0]
        self.pages[KEYS] = {"keys": [{**key.as_dict(private=False), **members} for key in keys]}

    def token(self, algorithm: str = "RS256", header: dict[str, Any] | None = None, **claims: Any) -> str:
        """Returns a token that is valid for an hour; a claim or a member of the header that is None is left out."""
        now = int(datetime.now(UTC).timestamp())
        standard = {"iss": self.url, "sub": "back-office", "iat": now, "exp": now + 3600}
        members = {"alg": algorithm, "kid": self.key.kid, **(header or {})}
        return jwt.encode(_present(members), _present({**standard, **claims}), self.key, [algorithm])


@contextmanager
def kept(issuer: Issuer) -> Iterator[Issuer]:
    """Gives an issuer that is shared between tests its pages and its key back at the end."""
    pages, key = dict(issuer.pages), issuer.key
    yield issuer
    issuer.pages, issuer.key = pages, key


def _present(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


@contextmanager
def running_issuer() -> Iterator[Issuer]:
    """An issuer on a port of its own."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            issuer.asked.append(parts.path)
            page = issuer.pages.get(parts.path, 404)
            if callable(page):
                form = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                answer = page(Asked(dict(parse_qsl(form or parts.query)), self.headers.get("Authorization", "")))
            elif isinstance(page, int):
                answer = Answer(page, location=KEYS if page == 302 else None)
            else:
                answer = Answer(200, page)
            content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(content)))
            if answer.location:
                self.send_header("Location", answer.location)
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        issuer = Issuer(f"http://127.0.0.1:{server.server_port}")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield issuer
        finally:
            server.shutdown()
            thread.join()
