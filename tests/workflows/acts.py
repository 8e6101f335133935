"""Requests as recipients and clients make them."""

from domain.events import ActorKind
from domain.ids import OrganisationId, RecipientId, SessionId
from domain.links import link_hash, link_secret
from domain.session import Session
from tests.builders import identifier, occasion, submission
from tests.fakes.sessions import LINK_KEY
from workflows.messages import (
    ActRequest,
    DeclineRequest,
    HandOutRequest,
    InviteRequest,
    RecipientActRequest,
    SignRequest,
)

ACT = ActRequest(occasion=occasion())


def key(session: Session) -> tuple[OrganisationId, SessionId]:
    """Where the session is found."""
    return session.organisation_id, session.session_id


def opened_by(session: Session, key: str, invitation: int = 1) -> RecipientActRequest:
    """What the recipient `key` sends along with the link of that invitation."""
    recipient_id = RecipientId(identifier(key))
    secret = link_secret(LINK_KEY, session.session_id, recipient_id, invitation)
    return RecipientActRequest(
        recipient_id=recipient_id, link_hash=link_hash(secret), occasion=occasion(kind=ActorKind.RECIPIENT)
    )


def signed_by(session: Session, key: str, invitation: int = 1) -> SignRequest:
    return SignRequest(**dict(opened_by(session, key, invitation)), submission=submission(key))


def declined_by(session: Session, key: str) -> DeclineRequest:
    return DeclineRequest(**dict(opened_by(session, key)), reason="The fee is wrong.")


def copies(*wanted: str, by: ActorKind = ActorKind.CLIENT) -> HandOutRequest:
    return HandOutRequest(occasion=occasion(kind=by), wanted=wanted)


def ask_again(key: str) -> InviteRequest:
    return InviteRequest(occasion=occasion(), recipient_id=RecipientId(identifier(key)))
