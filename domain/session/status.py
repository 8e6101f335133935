"""The statuses of a session (Specification 2.1). `domain.session.session` has the transitions between them."""

from domain.texts.described_enum import DescribedEnum


class SessionStatus(DescribedEnum):
    """Status of a session."""

    DRAFT = "draft", "created, not sent"
    PENDING = "pending", "sent; no recipient has signed"
    IN_PROGRESS = "inProgress", "some recipients have signed"
    COMPLETED = "completed", "all recipients have signed; the documents are being generated"
    COMPLETED_AND_GENERATED = "completedAndGenerated", "every signed PDF is ready"
    DECLINED = "declined", "a recipient declined to sign; final"
    EXPIRED = "expired", "the expiry date passed before all recipients had signed; final"
    CANCELLED = "cancelled", "archived; can be restored"


OPEN_FOR_SIGNING = frozenset({SessionStatus.PENDING, SessionStatus.IN_PROGRESS})
FINISHED = frozenset({SessionStatus.COMPLETED, SessionStatus.COMPLETED_AND_GENERATED})
FINAL = frozenset({SessionStatus.COMPLETED_AND_GENERATED, SessionStatus.DECLINED, SessionStatus.EXPIRED})
"""Statuses after which a session can only be archived, restored and deleted."""
