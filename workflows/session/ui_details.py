"""A session in Temporal's UI: its search attributes, and its details as Markdown."""

from datetime import datetime

from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes

from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING
from domain.session.waiting_cause import waiting_cause
from domain.session.waiting_for import has_pending_effects, waiting_for

ORGANISATION_ID = SearchAttributeKey.for_keyword("OrganisationId")
SESSION_STATUS = SearchAttributeKey.for_keyword("SessionStatus")
SESSION_WAITS_FOR = SearchAttributeKey.for_keyword("SessionWaitsFor")
SESSION_NAME = SearchAttributeKey.for_keyword("SessionName")

SEARCH_ATTRIBUTES = (ORGANISATION_ID, SESSION_STATUS, SESSION_WAITS_FOR, SESSION_NAME)
"""Search attributes by which operators find sessions. They are never encrypted."""

_GAP = "\u2002"
"""A space after each cell, because the UI puts none between columns."""


def search_attributes_of(session: Session, *, named: bool) -> TypedSearchAttributes:
    """Returns the search attributes of a new session. `named` includes its name, which may be personal data."""
    pairs = [
        SearchAttributePair(ORGANISATION_ID, session.organisation_id),
        SearchAttributePair(SESSION_STATUS, session.status.value),
        SearchAttributePair(SESSION_WAITS_FOR, waits_for(session)),
    ]
    if named:
        pairs.append(SearchAttributePair(SESSION_NAME, session.name))
    return TypedSearchAttributes(pairs)


def waits_for(session: Session) -> str:
    """Returns a `WaitingCause`, or `nothing`."""
    if session.status in OPEN_FOR_SIGNING or has_pending_effects(session):
        return waiting_cause(session, (), has_failing_run=False)[0].value
    return "nothing"


def static_details(session: Session) -> str:
    """Returns the static details: the organisation, counts, and hints for operators."""
    return (
        f"For **{session.organisation_name}**. Recipients: {len(session.recipients)}, files: {len(session.files)}. "
        "What it waits for is under *Current Details*, what has happened under *Timeline*, and a step that fails, with "
        "the reason, under *Pending Activities*. It is tried again by itself."
    )


_CANCELLED = (
    "Somebody asked Temporal to cancel this run, so the session was archived. The run waits for the session to be "
    "restored or deleted, which is done in the app or through the API."
)


def current_details(session: Session, *, was_cancelled: bool = False) -> str:
    """Returns the current details. They name recipients by key, so that operators see no personal data."""
    rows = [
        (
            f"{recipient.signing_order}.\u00a0{recipient.key}".replace("|", "\\|"),
            recipient.status.value,
            _shown(recipient.sent_at),
            _shown(recipient.completed_at),
        )
        for recipient in sorted(session.recipients, key=lambda r: r.signing_order)
    ]
    return "\n".join(
        [
            f"**{session.status.value}** – {waiting_for(session, by_key=True)}",
            *(["", _CANCELLED] if was_cancelled else []),
            "",
            _row("recipient", "status", "invited, UTC", "signed, UTC"),
            "|:--|:--|:--|:--|",
            *(_row(*cells) for cells in rows),
            "",
            *_clocks(session),
        ]
    )


def _clocks(session: Session) -> list[str]:
    """Returns the next reminder and the expiry while recipients can sign."""
    if session.status not in OPEN_FOR_SIGNING:
        return []
    clocks = {"Next reminder": session.next_reminder_at, "Expires": session.expires_at}
    return [" · ".join(f"{clock}: {f'{_shown(at)} UTC' if at else 'never'}" for clock, at in clocks.items())]


def _row(*cells: str) -> str:
    return f"| {' | '.join(f'{cell}{_GAP}' for cell in cells)} |"


def _shown(at: datetime | None) -> str:
    """Returns a time to the minute, with no-break spaces; a dash for None."""
    return f"{at:%d %b %Y, %H:%M}".replace(" ", "\u00a0") if at else "–"
