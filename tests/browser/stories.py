"""Sessions in rare states. Their rows are written; they have no runs."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from adapters.database.engine import make_engine
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.keys.secret_keys import read_key
from domain.session.session import Session
from domain.session.signing_links import link_secret, make_token
from domain.shared.ids import OrganisationId
from tests.browser.house import House
from tests.builders import audit, created, recipient, submission
from tests.databases import LIMITS

SENT_AT = datetime.now(UTC) - timedelta(days=40)
"""Before the thirty days that these sessions are open."""


def sent(house: House) -> Session:
    """To be signed by Renée, then by Łukasz."""
    people = (
        recipient("client", 1, name="Renée Østergård", recipient_id=str(uuid4())),
        recipient("consultant", 2, name="Łukasz Wiśniewski", recipient_id=str(uuid4())),
    )
    made = created(*people, name="Consulting agreement", expiry_days=30).session
    owner = OrganisationId(house.installation.dev_info.organisation_id)
    here = {"session_id": str(uuid4()), "organisation_id": owner, "organisation_name": "Harbour & Finch"}
    return made.model_copy(update=here).send(audit(SENT_AT)).session


def signed(session: Session, *keys: str) -> Session:
    """The session after those have signed, on the day after it was sent."""
    for key in keys:
        who = next(one.recipient_id for one in session.recipients if one.key == key)
        session = session.sign(who, submission(key), audit(SENT_AT + timedelta(days=1))).session
    return session


async def link_to(house: House, session: Session, key: str) -> str:
    """Records the session; returns a link for that recipient."""
    who = next(one for one in session.recipients if one.key == key)
    secret = link_secret(
        read_key(house.installation.data_dir / "keys", "link.key"),
        session.session_id,
        who.recipient_id,
        who.invitation.number,
    )
    engine = make_engine(f"sqlite+aiosqlite:///{house.installation.data_dir / 'undersign.db'}", LIMITS)
    try:
        await DatabaseSessionRows(engine).record(session, ())
    finally:
        await engine.dispose()
    return f"{house.url}/sign/{make_token(session.organisation_id, session.session_id, secret)}"
