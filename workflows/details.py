"""What the Temporal UI shows of a session: status, recipients and what it waits for, as Markdown."""

from domain.session import Session
from domain.times import rfc3339
from domain.waiting import waiting_for


def current_details(session: Session) -> str:
    """The details of a session as it is now. Recipients by key, not by name: operators need no personal data."""
    rows = [
        f"| {recipient.signing_order} | {_cell(recipient.key)} | {recipient.status.value} "
        f"| {rfc3339(recipient.sent_at) if recipient.sent_at else '–'} "
        f"| {rfc3339(recipient.completed_at) if recipient.completed_at else '–'} |"
        for recipient in sorted(session.recipients, key=lambda r: r.signing_order)
    ]
    return "\n".join(
        [
            f"**{session.status.value}** – {waiting_for(session, by_key=True)}",
            "",
            "| order | recipient | status | invited | signed |",
            "|---|---|---|---|---|",
            *rows,
        ]
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
