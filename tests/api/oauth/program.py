"""A program that registers, asks a person for leave, and fetches tokens: the other side of OAuth, step by step."""

from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx

from tests.web.app.office import ADA, Office, Visitor

VERIFIER = "a verifier that nobody guesses, 43 to 128 ch".replace(" ", "-").replace(",", "")
REDIRECT = "https://assistant.example.com/callback"
STATE = "x&y=z ü/%2B?#"


def challenge(verifier: str = VERIFIER) -> str:
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


@dataclass
class Program:
    """A program with `redirect` as its address; `members` are what it registers beside."""

    office: Office
    redirect: str = REDIRECT
    members: dict[str, Any] = field(default_factory=dict)
    registered: dict[str, Any] = field(default_factory=dict)

    @property
    def http(self) -> httpx.AsyncClient:
        return self.office.service.http(None)

    async def register(self) -> "Program":
        members = {
            "redirect_uris": [self.redirect],
            "client_name": "Assistant",
            "token_endpoint_auth_method": "none",
            **self.members,
        }
        answer = await self.http.post("/oidc/register", json=members)
        assert answer.status_code == 201, answer.text
        self.registered = answer.json()
        return self

    @property
    def client_id(self) -> str:
        return str(self.registered["client_id"])

    def question(self, **changes: str | list[str] | None) -> str:
        """The path that asks a person; None leaves a parameter out."""
        asked: dict[str, Any] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "scope": "read:sessions write:sessions",
            "state": STATE,
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
            **changes,
        }
        return "/app/authorize?" + urlencode(
            {name: value for name, value in asked.items() if value is not None}, doseq=True
        )

    async def decided(self, visitor: Visitor, path: str, **form: Any) -> httpx.Response:
        """What comes of pressing a button on the page at `path`."""
        token = str((await visitor.look(path)).all("input")[0]["value"])
        standard = {"scope": ["read:sessions", "write:sessions"], "per_day": "20", "domains": "", "decision": "allow"}
        return await visitor.browser.post(path, data={**standard, "form": token, **form})

    async def code(self, visitor: Visitor | None = None, **changes: Any) -> str:
        """The code that somebody's leave brings; `form` is what they choose."""
        form = changes.pop("form", {})
        visitor = visitor or await self.office.come_in(ADA)
        answer = await self.decided(visitor, self.question(**changes), **form)
        assert answer.status_code == 303, answer.text
        return parameters(answer)["code"]

    async def trade(self, code: str, **changes: str | None) -> httpx.Response:
        members = {"code": code, "redirect_uri": self.redirect, "code_verifier": VERIFIER, **changes}
        return await self.ask_for_tokens(grant_type="authorization_code", **members)

    async def refresh(self, token: str, **changes: str | None) -> httpx.Response:
        return await self.ask_for_tokens(grant_type="refresh_token", refresh_token=token, **changes)

    async def ask_for_tokens(self, **members: str | None) -> httpx.Response:
        given = {"client_id": self.client_id, **members}
        return await self.http.post("/oidc/token", data={k: v for k, v in given.items() if v is not None})

    async def connect(self, visitor: Visitor | None = None, **changes: Any) -> dict[str, Any]:
        """The first tokens, after somebody's leave."""
        answer = await self.trade(await self.code(visitor, **changes))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def call(self, tokens: dict[str, Any], path: str = "/api/v1/Sessions") -> int:
        """The status of a call with the access token."""
        headers = {"Authorization": f"Bearer {tokens['access_token']}"}
        return (await self.http.get(path, headers=headers)).status_code


def parameters(answer: httpx.Response) -> dict[str, str]:
    """What a redirect says to the program."""
    return dict(parse_qsl(urlsplit(answer.headers["location"]).query))


def led_to(answer: httpx.Response) -> str:
    """Where a redirect leads, without what it says."""
    return str(answer.headers["location"]).partition("?")[0]
