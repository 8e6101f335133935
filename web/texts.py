"""Every word of the pages, one catalogue per language. Templates and routes take them from here only."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from domain.session.field_input import InputMessages
from domain.session.state import SessionStatus
from web.verify.texts import VerifyingTexts


class Notice(NamedTuple):
    """A page that says one thing: what is the matter, and what to do next. Braces of the body are filled in."""

    title: str
    body: str


class Texts(VerifyingTexts):
    """The words in English, in the order in which a recipient meets them. Braces are filled in.

    Another language is a subclass that says the same in its own words.
    """

    language: str = "en"
    direction: str = "ltr"
    skip_to_content: str = "Skip to the content"
    powered_by: str = "Signed with Undersign, open document signing"

    invitation_title: str = "{organisation} asks you to sign"
    invitation_signed_title: str = "You have signed this"
    invitation_signed_body: str = "Nothing more is to be done. You can look at your copy any time."
    invitation_for: str = "For"
    invitation_documents: str = "Documents"
    invitation_until: str = "Sign until"
    pages: str = "{count} pages"
    page: str = "1 page"
    message_from: str = "Message from {organisation}"
    open: str = "Open the documents"
    open_copy: str = "Open my copy"
    open_note: str = "Opening lets {organisation} know that you have seen them. Nothing is signed yet."

    send_code: str = "Send me a code"
    send_code_note: str = "To make sure that it is you, we send a code of six digits to {address}."
    code_title: str = "Enter your code"
    code_sent: str = "We sent a code of six digits to {address}. It works for {minutes} minutes."
    code_label: str = "Code"
    code_enter: str = "Open the documents"
    code_again: str = "Send a new code"
    code_again_note: str = (
        "Nothing there? Look into the folder for unwanted mail, or ask for a new code after a minute."
    )
    code_just_sent: str = (
        "The last code is still on its way. A new one can be sent a minute after it, five times an hour."
    )
    code_not_sent: str = "The code could not be sent just now. Nothing is lost: ask for a new one in a moment."
    code_incomplete: str = "Enter all six digits of the code."
    code_wrong: str = "This is not the code that we sent last. Look again."
    code_ended: str = "This code has ended: it was used, is too old, or was entered wrong too often. Ask for a new one."

    signing_title: str = "Sign “{session}”"
    signing_for: str = "{organisation} asks {recipient} to sign"
    signing_intro: str = "Read the text, fill in what is marked as yours, and sign at the end."
    contents: str = "In this session"
    your_signature: str = "Your signature"
    document_of: str = "Document {number} of {count}"
    sent_pdf: str = "Read it as PDF"
    views: str = "How to show the documents"
    view_text: str = "Text"
    view_pages: str = "Pages"
    page_of: str = "Page {number} of {count}"
    zoom: str = "Size of the pages"
    zoom_in: str = "Larger"
    zoom_out: str = "Smaller"
    zoom_fit: str = "Fit"
    sign_here: str = "Sign here"
    initials_here: str = "Initials"
    done: str = "Done"
    references: str = "Sent along for reference"
    references_note: str = "These go with the documents above. There is nothing to fill in."
    page_break: str = "New page"
    required: str = "required"
    optional: str = "optional"
    to_be_filled_in: str = "To be filled in by {name}"
    filled_in: str = "Filled in by {name}"
    left_empty: str = "left empty"
    choose: str = "Choose an option"
    choose_any: str = "Tick all that apply"
    no_choice: str = "Clear my choice"
    chosen: str = "chosen"
    date_form: str = "{format}, for example {example}"
    calendar: str = "Choose “{label}” in a calendar"
    mobile_form: str = "Australian, for example 0491 570 156"
    initials_typed: str = "Type"
    initials_drawn: str = "Draw"
    initials_legend: str = "How do you want to give your initials?"
    initials_pad: str = "Draw your initials here with a finger, pen or mouse"
    same_initials: str = "Use my initials from above"
    drawn_initials: str = "Initials drawn by {name}"
    picture: str = "Picture"
    logo: str = "Logo"
    ticked: str = "Ticked"
    not_ticked: str = "Not ticked"
    signs_here: str = "{name} signs here"
    signed_here: str = "Signed by {name}"
    you_sign_here: str = "Your signature from the end of this page goes here."
    go_to_signature: str = "Go to my signature"
    name: str = "Name"
    date_signed: str = "Date signed"
    on_signing: str = "filled in when you sign"
    signature: str = "Signature"

    sign_legend: str = "How do you want to sign?"
    sign_typed: str = "Type"
    sign_drawn: str = "Draw"
    sign_uploaded: str = "Upload"
    uploaded_label: str = "Choose a picture of your signature"
    uploaded_hint: str = "Dark ink on white paper is best. The paper is made transparent."
    upload_wrong: str = "This file could not be read as a picture. Choose a PNG, JPEG, WebP or GIF."
    hand_preview: str = "Your signature as it will stand on the pages"
    typed_label: str = "Type your full name as your signature"
    drawn_label: str = "Draw your signature with a finger, pen or mouse"
    drawn_keyboard: str = "Drawing needs a pointer. With a keyboard, choose “Type”: it counts the same."
    undo: str = "Undo"
    clear: str = "Clear"
    consent_legend: str = "Agreement"
    review: str = "Review and sign"
    checking: str = "One moment…"
    review_title: str = "Review and sign"
    review_intro: str = "This is what you filled in, and how the pages will look. Nothing is signed yet."
    review_values: str = "What you filled in"
    review_back: str = "Go back and change something"
    drawn_by_you: str = "Drawn by hand"
    signature_of: str = "Signature of {name}"
    sign: str = "Sign"
    signing: str = "Signing…"
    sign_note: str = "Your signature, the time, your address on the network and your browser are kept as evidence."
    fields_done: str = "{done} of {count} filled in"
    nothing_left: str = "All filled in"
    next_field: str = "Next"
    saving: str = "Saving…"
    saved: str = "Saved"
    not_saved: str = "No connection. Go on; it is saved as soon as there is one."
    no_longer_saved: str = "Not saved any more. Open the link in your mail again."
    draft_found: str = "Your earlier entries are here"

    decline_instead: str = "I do not want to sign"
    declining_title: str = "Decline to sign"
    declining_body: str = (
        "This ends it for everyone who was asked: nobody can sign any more, and it cannot be undone here. "
        "{organisation} is told."
    )
    reason_label: str = "Why do you not want to sign?"
    reason_hint: str = "{organisation} reads this. For example, say what would have to change."
    reason_missing: str = "Say in a few words why you do not want to sign."
    reason_too_long: str = "Shorten your reason to {limit} characters."
    decline: str = "Decline to sign"
    decline_back: str = "Back to the documents"
    decline_not_reached: str = (
        "The service could not be reached. Nothing was lost: press “Decline to sign” again in a moment."
    )

    advice: InputMessages = InputMessages()
    error_prefix: str = "Please correct: "
    problems_title: str = "Not signed yet. Please correct:"
    unprintable: str = "“{label}” cannot be printed with these characters: {characters}"
    no_room: str = "Shorten “{label}”: about {room} characters fit into its space on the page."
    initials_unreadable: str = "What you drew for “{label}” could not be read. Draw it again, or type it instead."
    signature_missing: str = "Type your name as your signature."
    signature_too_long: str = "Shorten your signature to {limit} characters."
    signature_unprintable: str = "Your signature cannot be printed with these characters: {characters}"
    drawing_missing: str = "Draw your signature, or type your name instead."
    drawing_unreadable: str = "Your drawing could not be read. Draw it again, or type your name instead."
    upload_missing: str = "Choose a picture of your signature, or type your name instead."
    upload_unreadable: str = (
        "The picture of your signature could not be read. Choose another, or type your name instead."
    )
    consent_missing: str = "Agree to sign electronically to continue."
    not_reached: str = "The service could not be reached. Nothing was lost: press “Sign” again in a moment."

    signed_title: str = "Thank you, signed"
    signed_body: str = "Your signature on “{session}” for {organisation} is recorded."
    signed_on: str = "Signed on {moment}"
    others_sign: str = "The signed documents appear here when everyone has signed."
    never_signed: Mapping[SessionStatus, str] = {
        SessionStatus.DECLINED: "Somebody else has declined to sign, so it ends here: there are no signed documents.",
        SessionStatus.EXPIRED: "Not everyone signed in time, so it ends here: there are no signed documents.",
    }
    generating: str = "Everyone has signed. The signed documents are being prepared and appear here in a moment."
    look_again: str = "Look again"
    downloads: str = "Signed documents"
    download: str = "Download"
    copies_note: str = "Keep a copy for your records."

    outbox_title: str = "Outbox"
    outbox_intro: str = "Mails that this service would have sent. They stay on this machine, newest first."
    outbox_empty: str = "No mail yet. Send a session, and its invitations appear here."
    outbox_back: str = "All mails"
    mail_to: str = "To"
    mail_sent: str = "Sent"
    mail_subject: str = "Subject"
    no_subject: str = "(no subject)"

    start_title: str = "Undersign"
    start_intro: str = "Open document signing: block documents in, signed PDFs out."
    start_body: str = "This service is running. Recipients come here by the link in their invitation."
    start_app: str = "The app"
    start_app_note: str = "For people of an organisation: sessions to review, send and follow"
    start_verify: str = "Check a PDF"
    start_verify_note: str = "Whether it was sealed by this service, and whether it was changed since"
    start_outbox: str = "Outbox"
    start_outbox_note: str = "The mails of this installation, with the signing links in them"
    start_reference: str = "API reference"
    start_reference_note: str = "Every call, its fields and its errors"

    link_not_valid: Notice = Notice(
        "This link does not work",
        "It may be incomplete, or a newer invitation has replaced it. Open the link in the latest mail that you got.",
    )
    not_your_turn: Notice = Notice(
        "It is not your turn yet",
        "Others sign first. You get a mail with a new link as soon as it is your turn; nothing is to be done until "
        "then.",
    )
    already_signed: Notice = Notice("You have signed this", "Nothing more is to be done.")
    no_longer_available: Notice = Notice(
        "No longer available",
        "These documents have been withdrawn by whoever sent them. If you did not expect that, ask them.",
    )
    you_declined: Notice = Notice(
        "You have declined to sign",
        "{organisation} is told that you do not sign “{session}”, and why. Nothing more is to be done. If you change "
        "your mind, ask them to send it again.",
    )
    other_declined: Notice = Notice(
        "Nothing is to be signed any more",
        "Somebody else who was asked to sign “{session}” has declined, so it has ended. If you have questions, ask "
        "{organisation}.",
    )
    time_is_over: Notice = Notice(
        "The time for signing is over",
        "“{session}” could be signed until {moment}. If you still want to sign, ask {organisation} to send it again.",
    )
    unavailable: Notice = Notice(
        "One moment, please",
        "The service cannot reach one of its engines right now. Nothing was lost; try again in a minute.",
    )
    not_ready: Notice = Notice(
        "Not ready yet", "The signed document is still being prepared. Go back and look again in a moment."
    )
    not_found: Notice = Notice("Nothing here", "There is nothing at this address.")
    too_many: Notice = Notice(
        "One moment", "There were very many requests from your network. Wait a minute, then load the page again."
    )
    visit_ended: Notice = Notice(
        "Open your link again", "For your safety this visit has ended. Open the link in your mail to go on."
    )
    cross_site: Notice = Notice(
        "Not accepted", "This came from another website, so it was not accepted. Open the link in your mail instead."
    )
    form_out_of_date: Notice = Notice(
        "This form is out of date", "Nothing was signed. Open the link in your mail to get a fresh one."
    )
    form_too_large: Notice = Notice(
        "Too large", "What was sent is larger than any form of ours. Go back, draw a smaller signature and try again."
    )
    form_not_form: Notice = Notice("Not understood", "What was sent is not a form of ours, so nothing was done.")

    def moment(self, at: datetime) -> str:
        """A time as people read it; always UTC, and it says so."""
        at = at.astimezone(UTC)
        return f"{at.day} {at:%B %Y, %H:%M} UTC"

    def page_count(self, count: int) -> str:
        return self.page if count == 1 else self.pages.format(count=count)


CATALOGUE: Mapping[str, Texts] = {"en": Texts()}
"""By primary language subtag; the first is what everybody else gets."""


def texts_for(accept_language: str) -> Texts:
    """The catalogue for an `Accept-Language` header: the first language named there that we have."""
    wanted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in accept_language.split(","))
    return next((CATALOGUE[language] for language in wanted if language in CATALOGUE), next(iter(CATALOGUE.values())))
