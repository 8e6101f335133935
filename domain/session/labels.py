"""What clients call a session in their own systems: an external id and metadata.

They are for the organisation alone: no recipient is shown them.
"""

from collections.abc import Mapping

from domain.session.state import SessionState
from domain.shared.ids import SessionId

EXTERNAL_ID = "externalId"


class ExternalIdTaken(Exception):
    """Another session of the organisation has that external id, and it was to be unique."""

    default = "Another session has this externalId, and it is to be unique; `sessionId` names it."

    def __init__(self, session_id: SessionId) -> None:
        self.session_id = session_id
        super().__init__(self.default)


def metadata_label(key: str) -> str:
    """The name of the label of that metadata."""
    return f"metadata[{key}]"


def metadata_of(labels: Mapping[str, str]) -> dict[str, str]:
    """The metadata among `labels`, by key."""
    before, after = metadata_label("\n").split("\n")
    return {name[len(before) : -len(after)]: value for name, value in labels.items() if name != EXTERNAL_ID}


def labels_of(session: SessionState) -> dict[str, str]:
    """External id and metadata by the names under which lists are asked for them."""
    own = {} if session.external_id is None else {EXTERNAL_ID: session.external_id}
    return {**own, **{metadata_label(key): value for key, value in session.metadata.items()}}


def callback_labels(session: SessionState) -> dict[str, object]:
    """External id and metadata as members of a callback; a session without them has no such members."""
    own: dict[str, object] = {} if session.external_id is None else {EXTERNAL_ID: session.external_id}
    return {**own, "metadata": dict(session.metadata)} if session.metadata else own
