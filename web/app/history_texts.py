"""The words about what happened to a session, and what became of its callbacks."""

from collections.abc import Mapping

from domain.audit.events import EventType
from domain.callbacks.callback import CallbackStatus


class HistoryTexts:
    """The words in English. Braces are filled in: `who` did it, with or to which `recipient`."""

    somebody: str = "Somebody"
    the_service: str = "The service"
    a_program: str = "A program"
    happened: Mapping[EventType, str] = {
        EventType.SESSION_CREATED: "{who} made the draft",
        EventType.SESSION_SENT: "{who} sent it",
        EventType.RECIPIENT_INVITED: "{recipient} was asked to sign",
        EventType.RECIPIENT_INVITATION_FAILED: "The mail server refused the mail to {recipient}",
        EventType.RECIPIENT_REMINDED: "{recipient} was reminded",
        EventType.RECIPIENT_VIEWED: "{recipient} opened the documents",
        EventType.RECIPIENT_CONSENTED: "{recipient} agreed to sign electronically",
        EventType.RECIPIENT_COMPLETED: "{recipient} signed",
        EventType.RECIPIENT_DECLINED: "{recipient} declined to sign",
        EventType.SESSION_COMPLETED: "Everyone has signed",
        EventType.SESSION_DOCUMENTS_GENERATED: "The signed documents are ready",
        EventType.SESSION_DOWNLOADED: "{who} downloaded what was signed",
        EventType.SESSION_VALUES_READ: "{who} read what {recipient} entered",
        EventType.SESSION_SEAL_RAISED: "The seal of a document was raised",
        EventType.SESSION_DECLINED: "It ended, because not everyone wants to sign",
        EventType.SESSION_EXPIRED: "The time for signing was over",
        EventType.SESSION_ARCHIVED: "{who} archived it",
        EventType.SESSION_RESTORED: "{who} restored it",
    }
    invited_again: str = "{who} invited {recipient} again"

    callback_states: Mapping[CallbackStatus, str] = {
        CallbackStatus.PENDING: "On its way",
        CallbackStatus.DELIVERED: "Delivered",
        CallbackStatus.FAILED: "Given up",
    }
    callback_paused: str = "Held"
    callbacks_title: str = "Callbacks"
    callbacks_to: str = "Announced to {url}"
    callbacks_none: str = "Nothing has been announced yet."
    callback_about: Mapping[str, str] = {
        "session.sent": "Sent",
        "session.completed": "Everyone signed",
        "session.documentsGenerated": "Documents ready",
        "session.declined": "Declined",
        "session.expired": "Expired",
        "session.archived": "Archived",
        "session.restored": "Restored",
        "recipient.viewed": "Documents opened",
        "recipient.completed": "A recipient signed",
        "recipient.declined": "A recipient declined",
        "recipient.invitationFailed": "Mail refused",
    }
    tries: str = "{count} tries"
    one_try: str = "1 try"
    no_try: str = "not tried yet"
    answered: str = "answered {code}"
    took: str = "{milliseconds} ms"
    next_try: str = "next try"
    redeliver: str = "Redeliver"
    receiver_paused: str = (
        "{receiver} has failed for days, so nothing is sent there until somebody resumes it. Nothing is lost."
    )
    resume: str = "Resume"

    def count_tries(self, count: int) -> str:
        if count == 0:
            return self.no_try
        return self.one_try if count == 1 else self.tries.format(count=count)
