"""The words about acting on sessions."""

from collections.abc import Mapping

from domain.session.recipients import RecipientStatus
from domain.session.reminders import ReminderFrequency


class ActingTexts:
    """The words in English: buttons, and what came of pressing them. Braces are filled in."""

    send: str = "Send"
    send_note: str = "{count} people are asked to sign, in the order below. They get a mail."
    send_note_one: str = "One person is asked to sign, and gets a mail."
    restore: str = "Restore"
    restore_note: str = "Brings it back to where it was; links work again."
    archive: str = "Archive"
    archive_note: str = "Withdraws it: reminders stop and links no longer open it. It can be restored."
    archive_note_over: str = "Puts it away. It can be restored."
    delete: str = "Delete for ever"
    invite_again: str = "Invite again"
    invite_note: str = "A new link is sent; the earlier one ends."

    deleting_title: str = "Delete for ever"
    deleting_body: str = (
        "Its documents, signatures and history are erased, and files and images that were uploaded for it alone. "
        "Nobody can bring them back: not you, not recipients, not whoever runs this service. Only a receipt of it "
        "is kept."
    )
    deleting_instead: str = "Archiving puts it away and keeps everything."
    deleting_label: str = "To go on, type the name of the session:"
    deleting_wrong: str = "That is not the name. Type it as it stands above; capitals do not matter."
    back_to_session: str = "Back to the session"
    back_to_list: str = "All sessions"

    waits_for: str = "What it waits for"
    documents: str = "Documents"
    reference: str = "for reference"
    look: str = "Look at the pages"
    download: str = "Download"
    download_signed: str = "Download signed PDF"
    download_all: str = "Download all"
    certificate: str = "Certificate of completion"
    sent_pdf: str = "Download PDF"
    recipients: str = "Recipients"
    turn: str = "Turn {number}"
    recipient_states: Mapping[RecipientStatus, str] = {
        RecipientStatus.WAITING: "Not asked yet",
        RecipientStatus.PENDING: "Asked",
        RecipientStatus.VIEWED: "Looking",
        RecipientStatus.COMPLETED: "Signed",
        RecipientStatus.DECLINED: "Declined",
        RecipientStatus.EXPIRED: "Too late",
        RecipientStatus.CANCELLED: "Withdrawn",
    }
    reason: str = "Reason: “{reason}”"
    signed_at: str = "Signed"
    opened_at: str = "Opened"
    asked_at: str = "Asked"
    facts: str = "Facts"
    made: str = "Made"
    sent: str = "Sent"
    completed: str = "Completed"
    expires: str = "Open until"
    expires_after: str = "Open for"
    days: str = "{count} days after sending"
    never: str = "any time"
    next_reminder: str = "Next reminder"
    no_reminder: str = "none"
    reminder_steps: Mapping[ReminderFrequency, str] = {
        ReminderFrequency.DAILY: "every day, once sent",
        ReminderFrequency.WEEKLY: "every week, once sent",
        ReminderFrequency.MONTHLY: "every month, once sent",
        ReminderFrequency.QUARTERLY: "every three months, once sent",
    }
    reminders_off: str = "no reminders"
    message: str = "Message to recipients"
    identifier: str = "Identifier"
    timeline: str = "What happened"
    review_title: str = "Review the pages"
    review_end: str = "Everything as it should be?"
    review_lead: str = "This is what recipients see and sign, page by page. What each fills in is marked in a colour."

    done: Mapping[str, str] = {
        "sent": "Sent. The first recipients are being invited by mail.",
        "invited": "A new invitation is on its way. The earlier link does not work any more.",
        "archived": "Archived. Reminders have stopped, and links show that it was withdrawn. It can be restored.",
        "restored": "Restored. Everything is as it was before.",
        "deleted": "Deleted for ever. Its documents and records are being erased.",
        "redelivered": "The callback is being delivered once more. The log below shows what comes of it.",
        "resumed": "Callbacks go there again. What was held is being delivered.",
        "ended": "Ended. The program can do nothing more in your name.",
        "activated": "Active. Programs can make sessions from it now.",
    }
    errors: Mapping[str, str] = {
        "not-a-draft": "Nothing was done: this is no draft any more. Perhaps somebody else has sent or archived it.",
        "no-recipients": "Not sent: nobody is asked to sign. Whoever made the draft has to add recipients.",
        "incomplete": "Not sent: a recipient has no name or no email address. Make a new draft with both.",
        "already-archived": "Nothing was done: it is archived already. Perhaps somebody else was faster.",
        "not-archived": "Nothing was done: it is not archived. Perhaps somebody else has restored it.",
        "not-active": "No invitation was sent: nobody can sign now.",
        "not-their-turn": "No invitation was sent: it is not their turn, or they are done.",
        "too-often": "Nothing was done: this was done 10 times within an hour. Try again an hour later.",
        "no-grant": "Nothing was done: that program is not let in any more. Perhaps somebody else was faster.",
        "unavailable": "The service could not be reached. Try again in a moment; doing it twice does no harm.",
    }
