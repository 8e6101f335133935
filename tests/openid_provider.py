"""An OpenID provider over HTTP, as strict as those that people use: it signs users in at once, and real tokens."""

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import unquote_plus, urlencode

from tests.issuer import DISCOVERY, Answer, Asked, Issuer, running_issuer

AUTHORIZE, TOKEN = "/authorize", "/token"
CLIENT_ID, CLIENT_SECRET = "undersign at work", "s3cret/with+signs%"
VERIFIED = {"sub": "ada", "email": "ada@northwind.example", "email_verified": True}


class _Question(NamedTuple):
    """What a code stands for."""

    redirect_uri: str
    challenge: str
    nonce: str


class Provider:
    """A provider with one client. `claims` are those of the user who is signed in there.

    `make_token` makes the ID token of claims. `error` is the answer at the authorization endpoint, if it is one.
    """

    def __init__(self, issuer: Issuer, redirect_uri: str) -> None:
        self.issuer = issuer
        self.redirect_uri = redirect_uri
        self.claims: dict[str, Any] = dict(VERIFIED)
        self.make_token: Callable[[dict[str, Any]], str] = lambda claims: issuer.token(**claims)
        self.error: str | None = None
        self.methods: list[str] | None = None
        self._codes: dict[str, _Question] = {}
        issuer.pages[AUTHORIZE], issuer.pages[TOKEN] = self._authorize, self._redeem
        self.change_metadata()

    def change_metadata(self, **members: Any) -> None:
        """Publishes the usual metadata with `members` in place of its own."""
        self.issuer.pages[DISCOVERY] = {
            **self.issuer.pages[DISCOVERY],
            "authorization_endpoint": self.issuer.url + AUTHORIZE,
            "token_endpoint": self.issuer.url + TOKEN,
            **members,
        }

    def _authorize(self, asked: Asked) -> Answer:
        given = asked.parameters
        expected = {
            "response_type": "code",
            "client_id": CLIENT_ID,
            "redirect_uri": self.redirect_uri,
            "scope": "openid email",
            "code_challenge_method": "S256",
        }
        if not expected.items() <= given.items() or not {"state", "nonce", "code_challenge"} <= given.keys():
            return Answer(400, {"error": "invalid_request"})
        code = f"code {len(self._codes)}"
        self._codes[code] = _Question(given["redirect_uri"], given["code_challenge"], given["nonce"])
        answer = {"error": self.error} if self.error else {"code": code, "iss": self.issuer.url}
        query = urlencode({**answer, "state": given["state"]})
        return Answer(303, location=f"{self.redirect_uri}?{query}")

    def _redeem(self, asked: Asked) -> Answer:
        given = asked.parameters
        if not self._is_client(asked):
            return Answer(401, {"error": "invalid_client"})
        question = self._codes.pop(given.get("code", ""), None)
        verifier = sha256(given.get("code_verifier", "").encode()).digest()
        shown = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
        if question is None or (given.get("redirect_uri"), shown) != question[:2]:
            return Answer(400, {"error": "invalid_grant"})
        token = self.make_token({"aud": CLIENT_ID, "nonce": question.nonce, **self.claims})
        return Answer(200, {"access_token": "for nothing", "token_type": "Bearer", "id_token": token})

    def _is_client(self, asked: Asked) -> bool:
        if self.methods == ["client_secret_post"]:
            form = asked.parameters
            return (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)
        scheme, _, credentials = asked.authorization.partition(" ")
        user, _, secret = base64.b64decode(credentials).decode().partition(":")
        return (scheme, unquote_plus(user), unquote_plus(secret)) == ("Basic", CLIENT_ID, CLIENT_SECRET)


@contextmanager
def running_provider(redirect_uri: str) -> Iterator[Provider]:
    """A provider on a port of its own."""
    with running_issuer() as issuer:
        yield Provider(issuer, redirect_uri)
