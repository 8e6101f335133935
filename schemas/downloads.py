"""Downloads of signed documents. Specification 2.2, 2.3."""

from typing import Annotated

from pydantic import Field

from domain.session.session import SessionStatus
from domain.shared.ids import FileId, SessionId
from schemas.base import Shown


class DownloadEntry(Shown):
    """One signed PDF."""

    file_id: FileId
    file_name: str
    url: Annotated[str, Field(description="downloads without a header, until its lifetime is over; do not store it")]


class DownloadsRead(Shown):
    """The signed PDFs of a session."""

    session_id: SessionId
    session_status: SessionStatus
    documents: tuple[DownloadEntry, ...]
    expires_in_seconds: Annotated[int, Field(description="lifetime of the addresses", examples=[300])]
