"""The statuses of a session (Specification 2.1). `domain.session.session` has the transitions between them."""

from enum import StrEnum


class SessionStatus(StrEnum):
    DRAFT = "draft"
    PENDING = "pending"
    IN_PROGRESS = "inProgress"
    COMPLETED = "completed"
    COMPLETED_AND_GENERATED = "completedAndGenerated"
    DECLINED = "declined"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


OPEN_FOR_SIGNING = frozenset({SessionStatus.PENDING, SessionStatus.IN_PROGRESS})
FINISHED = frozenset({SessionStatus.COMPLETED, SessionStatus.COMPLETED_AND_GENERATED})
FINAL = frozenset({SessionStatus.COMPLETED_AND_GENERATED, SessionStatus.DECLINED, SessionStatus.EXPIRED})
"""Statuses after which a session can only be archived, restored and deleted."""
