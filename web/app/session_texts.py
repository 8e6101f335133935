"""The words about sessions."""

from collections.abc import Mapping

from domain.session.state import SessionStatus
from web.app.action_texts import ActingTexts
from web.app.history_texts import HistoryTexts
from web.app.page_overlay_texts import LeafTexts
from web.app.template_texts import TemplateTexts


class SessionTexts(ActingTexts, HistoryTexts, LeafTexts, TemplateTexts):
    """The words in English: lists of sessions, and what a session is. Braces are filled in."""

    states: Mapping[SessionStatus, str] = {
        SessionStatus.DRAFT: "Draft",
        SessionStatus.PENDING: "Waiting",
        SessionStatus.IN_PROGRESS: "Partly signed",
        SessionStatus.COMPLETED: "Being prepared",
        SessionStatus.COMPLETED_AND_GENERATED: "Completed",
        SessionStatus.DECLINED: "Declined",
        SessionStatus.EXPIRED: "Expired",
        SessionStatus.CANCELLED: "Archived",
    }
    tabs: Mapping[str, str] = {
        "all": "All",
        "drafts": "Drafts",
        "waiting": "Waiting",
        "done": "Completed",
        "ended": "Ended",
        "archived": "Archived",
    }
    tabs_label: str = "Sessions by state"
    find: str = "Find sessions"
    name_label: str = "Name"
    name_hint: str = "any part of it"
    recipient_label: str = "Recipient’s email"
    since_label: str = "Made from"
    until_label: str = "Made until"
    more_filters: str = "Filters and order"
    sort_label: str = "Order"
    sorts: Mapping[str, str] = {
        "changed": "Last changed first",
        "newest": "Newest first",
        "oldest": "Oldest first",
        "completed": "Last completed first",
        "name": "By name",
    }
    search: str = "Search"
    clear: str = "Clear"
    found: str = "{count} sessions"
    found_one: str = "1 session"
    wrong_email: str = "“{email}” is not a whole email address, so it was left out."

    column_session: str = "Session"
    column_recipients: str = "Recipients"
    column_state: str = "State"
    column_changed: str = "Last changed"
    column_act: str = "Act"
    signed_of: str = "{signed} of {all} signed"
    and_others: str = "and {count} more"

    pages_label: str = "Pages of the list"
    page_of: str = "Page {page} of {pages}"
    previous: str = "Previous"
    next: str = "Next"

    empty_title: str = "No sessions yet"
    empty_lead: str = "A session is one or several documents and the people who sign them. This is how one comes here:"
    empty_steps: tuple[tuple[str, str], ...] = (
        (
            "A program makes a draft",
            "It posts the document as blocks to the API, with whoever signs.",
        ),
        ("You look at it and send it", "The draft is here with its pages as they will be signed. One button sends it."),
        (
            "Recipients sign on any device",
            "They get a link by mail. You watch it here, and download the signed PDF.",
        ),
    )
    empty_reference: str = "How to make a draft: the API’s reference"
    nothing_found: str = "No session matches."
    nothing_on_shelf: str = "Nothing here at the moment."
    show_all: str = "Show all sessions"

    def count_found(self, count: int) -> str:
        return self.found_one if count == 1 else self.found.format(count=f"{count:,}")
