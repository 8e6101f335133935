"""Labels of a session: the client's external id and metadata. Recipients do not see them."""

from collections.abc import Mapping

from domain.session.snapshot import SessionSnapshot
from domain.shared.errors import CodedError
from domain.shared.ids import SessionId

EXTERNAL_ID = "externalId"


class ExternalIdTaken(CodedError, code="EXTERNAL_ID_TAKEN"):
    """Another session of the organisation has this unique external id."""

    default = "Another session has this externalId, which must be unique; `sessionId` identifies that session."

    def __init__(self, session_id: SessionId) -> None:
        self.session_id = session_id
        super().__init__()


def metadata_label(key: str) -> str:
    """Returns the label name of a metadata key."""
    return f"metadata[{key}]"


def metadata_of(labels: Mapping[str, str]) -> dict[str, str]:
    """Returns the metadata in `labels`, by key."""
    before, after = metadata_label("\n").split("\n")
    return {name[len(before) : -len(after)]: value for name, value in labels.items() if name != EXTERNAL_ID}


def labels_of(session: SessionSnapshot) -> dict[str, str]:
    """Returns external id and metadata by their names as query parameters."""
    own = {} if session.external_id is None else {EXTERNAL_ID: session.external_id}
    return {**own, **{metadata_label(key): value for key, value in session.metadata.items()}}


def callback_labels(session: SessionSnapshot) -> dict[str, object]:
    """Returns external id and metadata as members of a callback; absent ones are left out."""
    own: dict[str, object] = {} if session.external_id is None else {EXTERNAL_ID: session.external_id}
    return {**own, "metadata": dict(session.metadata)} if session.metadata else own
