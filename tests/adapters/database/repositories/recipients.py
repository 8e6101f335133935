"""Recipients of sessions, as the tables of signing pages refer to them."""

from domain.shared.ids import RecipientId, RecipientRef, SessionId
from tests.builders import ORGANISATION, identifier


def ref(name: str, session: str = "session") -> RecipientRef:
    return RecipientRef(ORGANISATION, SessionId(identifier(session)), RecipientId(identifier(name)))


ADA, GRACE, NOBODY = ref("ada"), ref("grace"), ref("nobody")
