"""The access token of a client: asked for when it is needed, kept until shortly before it ends."""

from dataclasses import dataclass
from time import monotonic

import httpx

from schemas.oauth import TokenRead
from undersign.operations import Operation

_MARGIN = 60.0
"""Seconds before its end at which a token counts as old: a request may be on its way for a while."""


@dataclass(frozen=True, slots=True)
class Token:
    """An access token, and when it is too old, by this process's clock."""

    text: str
    ends_at: float

    def is_old(self) -> bool:
        return monotonic() >= self.ends_at


def ask_for_token() -> Operation[Token]:
    """The call that gets a token; the client's id and secret go with it by HTTP Basic."""
    body, headers = b"grant_type=client_credentials", {"Content-Type": "application/x-www-form-urlencoded"}
    return Operation("createToken", "POST", "/oidc/token", _read, body=body, headers=headers, needs_token=False)


def _read(answer: httpx.Response) -> Token:
    token = TokenRead.model_validate_json(answer.content)
    return Token(token.access_token, monotonic() + token.expires_in - _MARGIN)
