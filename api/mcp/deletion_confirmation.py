"""Confirmation tokens: a first call returns a token, a second one passes it to delete permanently (Specification 11).

A token is signed and not stored, so every process of the API accepts it. It is valid for five minutes, for one client,
and for one unchanged session. It works once, because the session does not exist afterwards.
`api.mcp.tools.session_actions` requires it.
"""

from datetime import timedelta
from typing import Annotated

from itsdangerous import BadData, URLSafeSerializer
from pydantic import Field

from application.caller import Caller
from application.errors import ConfirmationNotValid
from application.schemas.base import ResponseModel, Timestamp
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import SessionId
from domain.shared.key_files import SIGNING, oldest_first

LIFETIME = timedelta(minutes=5)

_PURPOSE = "delete_session"


class DeletionToConfirm(ResponseModel):
    """A deletion to confirm. Call again with `confirmationToken` to delete the session permanently."""

    session_id: SessionId
    name: str
    status: SessionStatus
    confirmation_token: Annotated[str, Field(description="pass it to delete this session permanently")]
    expires_at: Annotated[Timestamp, Field(description="the end of the token's validity")]


class ConfirmationTokens:
    """Issues and verifies tokens, which are signed with `key`."""

    def __init__(self, key: bytes) -> None:
        self._signer = URLSafeSerializer(oldest_first(key), salt=_PURPOSE, signer_kwargs=SIGNING)

    def issue(self, caller: Caller, session: Session) -> DeletionToConfirm:
        until = caller.audit.at + LIFETIME
        return DeletionToConfirm(
            session_id=session.session_id,
            name=session.name,
            status=session.status,
            confirmation_token=str(self._signer.dumps([*_subject(caller, session), until.timestamp()])),
            expires_at=until,
        )

    def verify(self, token: str, caller: Caller, session: Session) -> None:
        """Raises `ConfirmationNotValid` unless `token` is of the caller and the unchanged session, and not expired."""
        try:
            *subject, until = self._signer.loads(token)
        except (BadData, ValueError, TypeError) as error:
            raise ConfirmationNotValid from error
        if subject != _subject(caller, session) or caller.audit.at.timestamp() >= until:
            raise ConfirmationNotValid


def _subject(caller: Caller, session: Session) -> list[str | int]:
    """Returns the caller, the session and the head of its history, which changes with every change of the session."""
    return [caller.organisation_id, caller.client_id, session.session_id, session.sequence, session.head]
