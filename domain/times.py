"""Times: always UTC, to the millisecond (Specification 10.2)."""

from datetime import UTC, datetime


def to_milliseconds(at: datetime) -> datetime:
    """`at` in UTC, cut to whole milliseconds, so that what is shown is what was hashed."""
    at = at.astimezone(UTC)
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def rfc3339(at: datetime) -> str:
    """The one text form of a time: `2026-06-12T10:30:00.000Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"
