"""A small OpenID issuer over HTTP: discovery, keys that it can change, and tokens."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

DISCOVERY, KEYS = "/.well-known/openid-configuration", "/keys"


class Issuer:
    """Serves `pages`, by path: bodies, or statuses of errors. `asked` lists the requested paths."""

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


def _present(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


@contextmanager
def running_issuer() -> Iterator[Issuer]:
    """An issuer on a port of its own."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked.append(self.path)
            page = issuer.pages.get(self.path, 404)
            content = page if isinstance(page, bytes) else json.dumps(page).encode()
            self.send_response(page if isinstance(page, int) else 200)
            self.send_header("Content-Length", str(len(content)))
            if page == 302:
                self.send_header("Location", KEYS)
            self.end_headers()
            self.wfile.write(content)

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
