"""Confirmations of what cannot be undone: a first call returns a token, a second one takes it (Specification 11).

A token is signed and kept nowhere, so every process of the API takes it, before and after a restart. It holds for one
session as it is, for the client that asked for it, and for five minutes. It works once because what it confirms leaves
no session behind to which it could apply, and whatever else happens to the session makes it void.
"""

from datetime import timedelta
from hashlib import sha256
from typing import Annotated

from itsdangerous import BadData, URLSafeSerializer
from pydantic import Field

from application.caller import Caller
from application.errors import ConfirmationNotValid
from domain.session.session import Session, SessionStatus
from domain.shared.ids import SessionId
from domain.shared.key_lists import oldest_first
from schemas.base import ResponseModel, Timestamp

LIFETIME = timedelta(minutes=5)

_PURPOSE = "delete_session"
_KEYING = {"key_derivation": "hmac", "digest_method": sha256}


class DeletionToConfirm(ResponseModel):
    """A deletion that has not happened yet. Call again with `confirmationToken` to delete the session permanently."""

    session_id: SessionId
    name: str
    status: SessionStatus
    confirmation_token: Annotated[str, Field(description="give it back to delete this session permanently")]
    expires_at: Annotated[Timestamp, Field(description="until when the token is valid")]


class Confirmations:
    """Gives and checks the tokens of one service, which are signed with `key`."""

    def __init__(self, key: bytes) -> None:
        self._signed = URLSafeSerializer(oldest_first(key), salt=_PURPOSE, signer_kwargs=_KEYING)

    def ask(self, caller: Caller, session: Session) -> DeletionToConfirm:
        """What the caller has to confirm before `session` is deleted."""
        until = caller.audit.at + LIFETIME
        return DeletionToConfirm(
            session_id=session.session_id,
            name=session.name,
            status=session.status,
            confirmation_token=str(self._signed.dumps([*_subject(caller, session), until.timestamp()])),
            expires_at=until,
        )

    def check(self, token: str, caller: Caller, session: Session) -> None:
        """Raises `ConfirmationNotValid` unless `token` was given to the caller for `session` as it is, and lately."""
        try:
            *subject, until = self._signed.loads(token)
        except (BadData, ValueError, TypeError) as error:
            raise ConfirmationNotValid from error
        if subject != _subject(caller, session) or caller.audit.at.timestamp() >= until:
            raise ConfirmationNotValid


def _subject(caller: Caller, session: Session) -> list[str | int]:
    """Who deletes what: the history of the session is part of it, so that nothing unseen is deleted."""
    return [caller.organisation_id, caller.client_id, session.session_id, session.sequence, session.head]
