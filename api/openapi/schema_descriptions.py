"""Descriptions of schemas that belong to the domain, the layout engine and OAuth registration."""

from collections.abc import Mapping
from typing import Any

from schemas.callbacks import CALLBACK_TYPES

ENUMS: Mapping[str, Mapping[str, str]] = {
    "ActorKind": {
        "": "Kind of an actor.",
        "client": "a client of the API",
        "recipient": "a recipient",
        "user": "a user of the organisation",
        "system": "the service itself",
    },
    "CallbackStatus": {
        "": "Status of the delivery of a callback.",
        "pending": "being attempted, waiting for the next attempt, or held while its receiver is paused",
        "delivered": "the receiver responded with 2xx",
        "failed": "the receiver responded with 410, or the last attempt failed",
    },
    "EventType": {
        "": "Type of an event.",
        **{name: text for name, text in CALLBACK_TYPES.items() if name != "session.deleted"},
        "session.created": "the draft was created",
        "session.edited": "the draft was changed; `details.changed` names the members",
        "session.sent": "the draft was sent; the first recipients are invited",
        "recipient.invited": "a mail with a link is due to a recipient who can sign now",
        "recipient.invitationFailed": "the mail server rejected that mail permanently; `details.reason` says why",
        "recipient.reminded": "a reminder is due to a recipient who can sign now, or was requested",
        "recipient.corrected": "the name or email address of a recipient was corrected; `details` holds both",
        "recipient.delegated": "a recipient passed their turn on to another person; `details` holds both, and why",
        "recipient.consented": "a recipient agreed to sign electronically",
        "recipient.declined": "a recipient declined to sign or to approve; `details.reason` says why",
        "session.completed": "all recipients have signed",
        "session.rescheduled": "the expiry or the reminders of an open session were changed",
        "session.downloaded": "a signed PDF or the certificate was downloaded for the first time",
        "session.valuesRead": "a client first read the values of the recipient in `details.recipientId`",
        "session.sealRaised": "a seal got a trusted time or evidence that was not available at first",
    },
    "IssueKind": {
        "": "Kind of an issue of a document.",
        "title-too-long": "a title needs more than one line",
        "out-of-bounds": "content fits on no page, or a footer label does not fit on one line",
        "zone-out-of-bounds": "a field or a signature block fits on no page",
        "unknown-recipient": "no recipient of the request has the key",
        "not-a-signer": "the recipient with the key approves or gets a copy, and signs nothing",
        "duplicate-field-name": "two fields have the same name",
        "unknown-image": "no uploaded image of the organisation has the `fileId`",
        "image-too-tall": "an image is taller than a page at its width",
        "tokens-in-session": "a `{{{token}}}` stands in the document or a recipient of a session",
        "too-many-marks": "more than 8 combining marks follow one letter",
        "too-many-pages": "the document has more than 2,000 pages",
        "undeclared-variable": "a `{{{token}}}` names no variable of the template",
    },
    "RecipientStatus": {
        "": "Status of a recipient.",
        "waiting": "not invited yet",
        "pending": "invited",
        "viewed": "opened the documents",
        "completed": "signed or approved, or gets a copy of a completed session; final",
        "declined": "declined to sign or to approve; final",
        "expired": "did not sign or approve in time; final",
        "cancelled": "the session was archived, and restoring returns the earlier status; or another recipient "
        "declined",
    },
    "Delivery": {
        "": "How a recipient gets the address of their documents.",
        "email": "by an invitation; the later emails follow",
        "none": "from a program of the organisation (Create Signing Url); the recipient gets no emails",
    },
    "RecipientRole": {
        "": "What a recipient is asked to do.",
        "signer": "fill in their fields and sign",
        "approver": "read the documents and approve them; they fill in and sign nothing",
        "copy": "nothing; they get the documents when all others have finished",
    },
    "RecipientVerification": {
        "": "Verification of recipients, besides their link, before the documents open.",
        "none": "none",
        "emailCode": "the recipient enters a one-time code that is sent to their address",
    },
    "ReminderFrequency": {
        "": "Interval of reminders, counted from sending.",
        "daily": "every day",
        "weekly": "every 7 days",
        "monthly": "every month, on the same or the last day",
        "quarterly": "every 3 months, on the same or the last day",
    },
    "SealLevel": {
        "": "Level of a seal (PAdES baseline), the lowest first. Each level includes the previous ones.",
        "B-B": "every change is detected while the certificate of the seal is valid",
        "B-T": "a timestamp proves that the seal existed at its time",
        "B-LT": "everything needed for offline validation is included",
        "B-LTA": "a timestamp covers all of that",
    },
    "SessionStatus": {
        "": "Status of a session.",
        "draft": "created, not sent",
        "pending": "sent; no recipient has signed",
        "inProgress": "some recipients have signed",
        "completed": "all recipients have signed; the documents are being generated",
        "completedAndGenerated": "every signed PDF is ready",
        "declined": "a recipient declined to sign; final",
        "expired": "the expiry date passed before all recipients had signed; final",
        "cancelled": "archived; can be restored",
    },
    "SortBy": {
        "": "Sort key of sessions. Equal sessions are sorted by their identifiers.",
        "createdAt": "time of creation",
        "updatedAt": "time of the latest change",
        "completedDate": "time at which the last recipient signed; sessions that are not completed count as oldest",
        "name": "name, in the order of Unicode and regardless of case",
    },
    "SortOrder": {"": "Sort order.", "asc": "lowest, oldest or A first", "desc": "highest, newest or Z first"},
    "BatchState": {
        "": "State of a batch.",
        "checking": "the documents of all rows are laid out; no session exists yet",
        "running": "sessions are created, row by row",
        "paused": "no session is created until the batch is resumed",
        "completed": "every row has a session, or failed",
        "refused": "rows have issues, so no session was created",
        "cancelled": "the rows that were left have no session",
    },
    "RowStatus": {
        "": "Status of a row without a session.",
        "waiting": "the session is not created yet",
        "notCreated": "the batch was refused or cancelled before the session was created",
        "failed": "the row was refused; `error` says why",
        "deleted": "the session was deleted permanently",
    },
    "TemplateStatus": {
        "": "Status of a template.",
        "draft": "created, not ready for use",
        "active": "sessions can be created from it",
        "archived": "no sessions can be created from it until it is restored",
    },
    "VariableType": {
        "": "Type of the values of a variable.",
        "text": "any text, printed as it is given",
        "date": "a day as `YYYY-MM-DD`, printed in the `dateFormat` of the variable, or as it is given",
        "number": "a number, or a text that reads as one, such as `1,250.00`",
    },
    "WarningKind": {
        "": "Kind of a warning about a document.",
        "low-contrast": "a colour is hard to read where it is used",
        "unprintable-characters": "characters cannot be printed; sessions refuse them",
        "no-signature-block": "no signature block of the document names a recipient of the request",
        "heading-alone": "a heading and its content are on different pages, because no page holds both",
        "markup": "a text with a variable in other braces, HTML or Markdown, which is printed as it is",
        "second-signature": "a recipient has more than one signature block in the document",
    },
}
"""Descriptions of enums and, by value, of their values; the empty key is the enum itself."""

SCHEMAS: Mapping[str, str] = {
    **{
        name: " ".join(f"`{value}`: {text}." if value else text for value, text in values.items())
        for name, values in ENUMS.items()
    },
    "JsonValue": "Any JSON value.",
    "ZoneType": "Type of a zone: a field type, or the name, date or signature of a signature block.",
}

MEMBERS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "Registration": {"grant_types": ("Grant types that the program uses.",), "response_types": ("Always `code`.",)},
    "RegisteredRead": {
        "client_id": ("Client id of the program.", "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d"),
        "client_name": ("Name of the program for display. Not verified.", "Assistant"),
        "client_secret": ("Secret of the program, returned only once. null: the program has none.",),
        "grant_types": ("Grant types of the program.",),
        "redirect_uris": ("Redirect URIs, compared as strings. Loopback addresses match with any port.",),
        "response_types": ("Always `code`.",),
        "scope": ("Scopes that the program may request, separated by spaces.",),
        "token_endpoint_auth_method": ("How the program authenticates; `none` for a program without a secret.",),
    },
    "RegistrationErrorRead": {
        "error": ("Error code of OAuth.",),
        "error_description": ("Explanation for developers.",),
    },
}
"""Descriptions of members, by schema, some with an example."""

EXAMPLES: Mapping[str, Any] = {
    "Registration": {"client_name": "Contract assistant", "redirect_uris": ["https://assistant.example.com/callback"]},
    "RegistrationErrorRead": {
        "error": "invalid_redirect_uri",
        "error_description": "A redirect_uri is an https address without a fragment.",
    },
}


def add_descriptions(schemas: dict[str, Any]) -> None:
    """Adds descriptions and examples to `schemas`, in place."""
    for name, text in SCHEMAS.items():
        schemas[name]["description"] = text
    for name, members in MEMBERS.items():
        for member, (text, *examples) in members.items():
            described = {"description": text, **({"examples": examples} if examples else {})}
            schemas[name]["properties"][member] = {**described, **schemas[name]["properties"][member]}
    for name, example in EXAMPLES.items():
        schemas[name]["examples"] = [example]
