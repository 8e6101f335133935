"""A running installation as these tests use it: sessions made by the client, links read from the outbox."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from application.tokens.openid_code_flow import REDIRECT_PATH
from cli.demo.browser import Answer
from cli.demo.command import Answers, await_invitation, connect, read_example, sign
from cli.demo.examples import Example
from tests.end_to_end.access import client_of
from tests.end_to_end.installation import Installation
from tests.http_requests import PATIENCE
from tests.openid_provider import AUTHORIZE, CLIENT_ID, CLIENT_SECRET, Provider, running_provider
from undersign import Client
from undersign.models import RecipientRead, SessionRead

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class House:
    """The installation, the organisation's client, and an HTTP client with its token for calls of any kind.

    The user of the installation is signed in at `provider`, on another site.
    """

    installation: Installation
    client: Client
    http: httpx.Client
    provider: Provider
    kept: dict[str, Any] = field(default_factory=dict)
    """What was made once and serves many: nothing changes it any more."""

    @property
    def url(self) -> str:
        return self.installation.dev_info.api_url

    def request(self, example: Example = Example.AGREEMENT) -> Body:
        """The request that makes a session of `example`."""
        return json.loads(read_example(example)[0])  # type: ignore[no-any-return]

    def completed(self) -> "Sent":
        """The new starter form, signed by both and generated; always the same session."""
        if "completed" not in self.kept:
            made = self.send(Example.NEW_STARTER)
            for key in ("starter", "manager"):
                made.sign(key)
            made.await_documents()
            self.kept["completed"] = made
        sent: Sent = self.kept["completed"]
        return sent

    def create(self, example: Example = Example.AGREEMENT, **members: Any) -> "Sent":
        """A draft of `example` with `members` in place of its own."""
        return self.create_of({**self.request(example), **members}, read_example(example)[1])

    def create_of(self, body: Body, answers: Answers | None = None) -> "Sent":
        """A draft of any request; `answers` by recipient key and name of field."""
        return Sent(self, self.client.create_session(body), answers or {})

    def send(self, example: Example = Example.AGREEMENT, **members: Any) -> "Sent":
        """A sent session of `example`."""
        return self.create(example, sendImmediately=True, **members)

    def send_of(self, body: Body, answers: Answers | None = None) -> "Sent":
        """A sent session of any request."""
        return self.create_of({**body, "sendImmediately": True}, answers)


@dataclass(frozen=True, slots=True)
class Sent:
    """A session, and what can be done with it from outside the browser."""

    house: House
    session: SessionRead
    answers: Answers = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.session.session_id

    def now(self) -> SessionRead:
        return self.house.client.get_session(self.id)

    def recipient(self, key: str) -> RecipientRead:
        return next(recipient for recipient in self.session.recipients if recipient.key == key)

    def link(self, key: str) -> str:
        """The link in the recipient's latest invitation, as soon as it has arrived."""
        return await_invitation(self.house.installation.dev_info.outbox_dir, self.id, self.recipient(key))

    def sign(self, key: str, answers: Mapping[str, Answer] | None = None) -> None:
        """Signs as that recipient, without a browser."""
        sign(self.link(key), self.recipient(key), answers or self.answers.get(key, {}), is_drawn=False)

    def await_documents(self) -> SessionRead:
        return self.house.client.wait_until_generated(self.id, seconds=PATIENCE)


@contextmanager
def open_house(data_dir: Path) -> Iterator[House]:
    """An installation on free ports from its start to its end."""
    with running_provider("") as provider:
        elsewhere = provider.issuer.url.replace("127.0.0.1", "localhost")
        provider.change_metadata(authorization_endpoint=f"{elsewhere}{AUTHORIZE}")
        # The stories of scenes were signed weeks ago; links of that age ask for a code by default.
        installation = Installation(data_dir, **_sign_in_by(provider), UNDERSIGN_COPY_DAYS="365")
        installation.start()
        try:
            provider.redirect_uri = f"{installation.dev_info.api_url}{REDIRECT_PATH}"
            provider.claims["email"] = installation.dev_info.user_email
            with client_of(installation) as http:
                client = connect(installation.dev_info)
                yield House(installation, client, http, provider)
                client.close()
        finally:
            installation.stop()


def _sign_in_by(provider: Provider) -> dict[str, str]:
    return {
        "UNDERSIGN_SIGN_IN_ISSUER": provider.issuer.url,
        "UNDERSIGN_SIGN_IN_CLIENT_ID": CLIENT_ID,
        "UNDERSIGN_SIGN_IN_CLIENT_SECRET": CLIENT_SECRET,
        "UNDERSIGN_SIGN_IN_NAME": "Acme",
    }
