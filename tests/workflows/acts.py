"""Requests as recipients and clients make them."""

from domain.audit.events import ActorKind
from domain.shared.ids import RecipientId
from ports.session_requests import (
    ActRequest,
    DeclineRequest,
    HandOutRequest,
    InviteRequest,
    RecipientActRequest,
    SignRequest,
)
from tests.builders import identifier, occasion, submission

ACT = ActRequest(occasion=occasion())


def opened_by(key: str, invitation: int = 1) -> RecipientActRequest:
    """What the recipient `key` sends along with the link of that invitation."""
    return RecipientActRequest(
        recipient_id=RecipientId(identifier(key)),
        invitation=invitation,
        occasion=occasion(kind=ActorKind.RECIPIENT),
    )


def signed_by(key: str, invitation: int = 1) -> SignRequest:
    return SignRequest(**dict(opened_by(key, invitation)), submission=submission(key))


def declined_by(key: str) -> DeclineRequest:
    return DeclineRequest(**dict(opened_by(key)), reason="The fee is wrong.")


def copies(*wanted: str, by: ActorKind = ActorKind.CLIENT) -> HandOutRequest:
    return HandOutRequest(occasion=occasion(kind=by), wanted=wanted)


def ask_again(key: str) -> InviteRequest:
    return InviteRequest(occasion=occasion(), recipient_id=RecipientId(identifier(key)))
