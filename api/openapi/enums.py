"""What the values of closed sets mean, each of them."""

from collections.abc import Mapping
from typing import NamedTuple


class EnumDescription(NamedTuple):
    """A closed set: what it is about, and what each of its values means."""

    about: str
    meanings: Mapping[str, str]


ENUMS: Mapping[str, EnumDescription] = {
    "ActorKind": EnumDescription(
        "Who does things.",
        {
            "client": "a client of the API",
            "recipient": "somebody who was asked to sign",
            "user": "a person of the organisation",
            "system": "the service itself",
        },
    ),
    "CallbackStatus": EnumDescription(
        "How far the delivery of a callback is.",
        {
            "pending": "tried now, waiting for its next try, or held while its receiver is paused",
            "delivered": "the receiver answered 2xx",
            "failed": "the receiver wants it no more (410), or the last try failed",
        },
    ),
    "CallbackType": EnumDescription(
        "What is announced.",
        {
            "session.sent": "the draft was sent",
            "session.completed": "all have signed; the documents are being generated",
            "session.documentsGenerated": "every signed PDF is there",
            "session.declined": "it ended because a recipient declined",
            "session.expired": "its expiry date passed before all had signed",
            "session.archived": "it was archived, and can be restored",
            "session.restored": "it was brought back to where it was",
            "session.deleted": "it was deleted permanently; nothing can be asked about it any more",
            "recipient.viewed": "a recipient opened the documents, for the first time on a device",
            "recipient.completed": "a recipient signed",
            "recipient.declined": "a recipient refused to sign",
            "recipient.invitationFailed": "the mail server refused a recipient's mail for good",
        },
    ),
    "EventType": EnumDescription(
        "What can happen to a session.",
        {
            "session.created": "the draft was made",
            "session.sent": "the draft was sent; the first recipients are invited with it",
            "recipient.invited": "a mail with a link is to go to a recipient whose turn it is",
            "recipient.invitationFailed": "the mail server refused that mail for good; `details.reason` says why",
            "recipient.reminded": "a reminder is to go to a recipient whose turn it is",
            "recipient.viewed": "a recipient opened the documents, for the first time on a device",
            "recipient.consented": "a recipient agreed to sign electronically",
            "recipient.completed": "a recipient signed",
            "recipient.declined": "a recipient refused to sign; `details.reason` says why",
            "session.completed": "all have signed",
            "session.documentsGenerated": "every signed PDF is there",
            "session.downloaded": "somebody was given a signed PDF or the certificate, for the first time",
            "session.valuesRead": "a client read what the recipient of `details.recipientId` entered, for the first "
            "time",
            "session.sealRaised": "a seal got a trusted time, or evidence, that could not be had at first",
            "session.declined": "it ended because a recipient declined",
            "session.expired": "its expiry date passed before all had signed",
            "session.archived": "it was archived, and can be restored",
            "session.restored": "it was brought back to where it was",
        },
    ),
    "IssueKind": EnumDescription(
        "What is wrong with a document.",
        {
            "title-too-long": "a title takes more than one line",
            "out-of-bounds": "content that fits on no page, or a footer label that does not fit on one line",
            "zone-out-of-bounds": "an input or a signature block that fits on no page",
            "unknown-recipient": "a key that no recipient of the request has",
            "duplicate-field-name": "two inputs with one name",
            "unknown-image": "a `fileId` that no uploaded image of the organisation has",
            "image-too-tall": "an image that is taller than a page at its width",
            "tokens-in-session": "a `{{{token}}}` in what is final: the document of a session, or a recipient of it",
            "undeclared-variable": "a `{{{token}}}` that names no variable of the template",
        },
    ),
    "RecipientStatus": EnumDescription(
        "How far a recipient is.",
        {
            "waiting": "not invited yet",
            "pending": "invited",
            "viewed": "opened the documents",
            "completed": "signed; final",
            "declined": "refused to sign; final",
            "expired": "did not sign in time; final",
            "cancelled": "is asked no more, because the session was archived or somebody else declined; restoring an "
            "archived session brings back what was before",
        },
    ),
    "RecipientVerification": EnumDescription(
        "What recipients have to do beside following their link before the documents open.",
        {"none": "nothing", "emailCode": "enter a one-time code that is sent to their address"},
    ),
    "ReminderFrequency": EnumDescription(
        "How often those whose turn it is are reminded, counted from sending.",
        {"daily": "every day", "weekly": "every 7 days", "monthly": "every month", "quarterly": "every 3 months"},
    ),
    "SealLevel": EnumDescription(
        "Levels of a seal (PAdES baseline), the lowest first. Each holds all that the one before holds.",
        {
            "B-B": "every change shows, for as long as the certificate of the seal is valid",
            "B-T": "and a timestamp says when it existed at the latest",
            "B-LT": "and it holds all that is needed to check it without asking anybody",
            "B-LTA": "and a timestamp over all of that",
        },
    ),
    "SessionStatus": EnumDescription(
        "Where a session stands.",
        {
            "draft": "created, not sent",
            "pending": "sent, nobody has signed yet",
            "inProgress": "some have signed, others have not",
            "completed": "all have signed, and the documents are being generated",
            "completedAndGenerated": "every signed PDF is there",
            "declined": "a recipient refused to sign; final",
            "expired": "the expiry date passed before all had signed; final",
            "cancelled": "archived, can be restored",
        },
    ),
    "SortBy": EnumDescription(
        "By what sessions are put in order. Equal ones are in the order of their identifiers.",
        {
            "createdAt": "when it was created",
            "updatedAt": "when it last changed",
            "completedDate": "when the last recipient signed; what is not completed counts as the oldest",
            "name": "without regard to case, in the order of Unicode",
        },
    ),
    "SortOrder": EnumDescription(
        "Which end comes first.", {"asc": "the least, the oldest, or A first", "desc": "the other way round"}
    ),
    "TemplateStatus": EnumDescription(
        "Where a template stands.",
        {
            "draft": "created, not for use yet",
            "active": "sessions can be created from it",
            "archived": "no sessions can be created from it until it is restored",
        },
    ),
    "VariableType": EnumDescription(
        "What the values of a variable are.",
        {
            "text": "any text, printed as it is given",
            "date": "a day as `YYYY-MM-DD`, printed in the `dateFormat` of the variable, or as it is given",
            "number": "a number, or a text that reads as one, such as `1,250.00`",
        },
    ),
    "WarningKind": EnumDescription(
        "What is unwise about a document.",
        {
            "low-contrast": "a colour that is hard to read where it is used",
            "unprintable-characters": "characters that cannot be printed; no session takes them",
            "no-signature-block": "a recipient of the request whom no signature block of the document names",
            "heading-alone": "a heading whose content is on the next page, because no page holds both",
            "second-signature": "a signature block of a recipient who has one in the document already",
        },
    ),
}


def described(kind: EnumDescription) -> str:
    """The description of a closed set."""
    return " ".join([kind.about, *(f"`{value}`: {meaning}." for value, meaning in kind.meanings.items())])
