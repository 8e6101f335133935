"""The answer to creating a session: the session, and what is unwise about its documents (Specification 4.6)."""

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field

from domain.session.session import Session
from schemas.previews import WarningRead
from schemas.session_read import SessionRead


class SessionCreated(SessionRead):
    """The session that was made."""

    warnings: Annotated[
        tuple[WarningRead, ...],
        Field(
            description="what is unwise about its documents and kept nothing from being made, as Preview Document says "
            "it; a recipient without a signature block is one whom no document of the session asks to sign"
        ),
    ]

    @classmethod
    def of(cls, session: Session, warnings: Sequence[WarningRead], base_url: str) -> Self:
        shown = SessionRead.from_snapshot(session, base_url)
        return cls.model_validate({**dict(shown), "warnings": tuple(warnings)})
