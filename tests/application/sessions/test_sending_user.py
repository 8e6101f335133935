"""The user who sends a session, in the app or by a program with their consent."""

from typing import cast

import pytest

from application.services import Services
from application.sessions.sending_user import find_sending_user
from domain.audit.events import Actor, ActorKind
from domain.shared.ids import ClientId, UserId
from tests.builders import audit

OLIVIA = UserId("olivia")


class Grants:
    """One program works with the consent of Olivia."""

    async def find_user_of(self, client_id: ClientId) -> UserId | None:
        return OLIVIA if client_id == "program" else None


class SomeServices:
    grants = Grants()


@pytest.mark.parametrize(
    ("kind", "actor", "user"),
    [
        (ActorKind.USER, OLIVIA, OLIVIA),
        (ActorKind.CLIENT, "program", OLIVIA),
        (ActorKind.CLIENT, "own client", None),
        (ActorKind.SYSTEM, "undersign", None),
    ],
)
async def test_the_user_is_the_actor_or_who_consented(kind: ActorKind, actor: str, user: UserId | None) -> None:
    context = audit().model_copy(update={"actor": Actor(kind=kind, id=actor)})
    assert await find_sending_user(cast("Services", SomeServices()), context) == user
