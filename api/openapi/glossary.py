"""What members and kinds of values mean, in the same words wherever they occur.

A member that a schema describes itself keeps its own words. `Schema.member` here goes before `member`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from api.openapi.enums import KINDS, described

_SHA256 = "3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b"
_ID = "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d"


class Word(NamedTuple):
    """What something means, and one value that it could have."""

    meaning: str
    example: str | int | bool | None = None


SCHEMAS: Mapping[str, str] = {
    **{name: described(kind) for name, kind in KINDS.items()},
    "ActorRead": "Who did something.",
    "Alive": "The process lives.",
    "Pagination": "Which rows of a list these are.",
    "Ready": "Everything that the service needs answers.",
    "BlockDocument": "A whole document: a flow of blocks under a title, laid out on A4 pages.",
    "JsonValue": "Any JSON value.",
    "PageBreak": "The next block starts a new page.",
    "Paragraph": "Text that wraps by itself; a newline in it is a line break.",
    "ZoneType": "What goes into a zone: one of the field types, or the name, date or signature of a signature block.",
}

WORDS: Mapping[str, Word] = {
    "BlockDocument.blocks": Word("the content, in order"),
    "BlockDocument.footerLabel": Word("at the foot of every page, before “page X of Y”; default: the title"),
    "BlockDocument.logo": Word("a picture at the right of every page's header; null: none"),
    "BlockDocument.theme": Word("its colours; null: the classic look"),
    "BlockDocument.title": Word("in the header of every page; must fit on one line, which about 30 characters do"),
    "BulletList.items": Word("one bullet for each", None),
    "CallbackAttemptRead.at": Word("when the try began", "2026-06-12T10:30:00.000Z"),
    "CallbackAttemptRead.durationMs": Word("how long the try took, in milliseconds", 182),
    "CallbackAttemptRead.error": Word(
        "why it was no success; null when the receiver answered 2xx", "no answer within 15 s"
    ),
    "CallbackAttemptRead.statusCode": Word("what the receiver answered; null when nothing came", 500),
    "CallbackRead.attempts": Word("every try, oldest first"),
    "CallbackRead.eventId": Word("the `webhook-id` of every try", "6f1c3f0e-7d0b-5b7e-9c55-2a4f0e8d1b3a"),
    "CallbackRead.nextAttemptAt": Word(
        "when it is tried next; null when that is not to happen by itself", "2026-06-12T10:35:00.000Z"
    ),
    "CallbackRead.pausedSince": Word(
        "since when its receiver, which had failed for three days, is left alone; null: it is not",
        "2026-06-15T10:30:00.000Z",
    ),
    "CallbackRead.status": Word("how far its delivery is"),
    "CallbackBody.type": Word(described(KINDS["CallbackType"])),
    "CallbackRead.type": Word("what happened"),
    "AnnouncedRecipient.name": Word("full name", "Ada Lovelace"),
    "CallbacksRead.callbacks": Word("at most `limit` of them"),
    "CallbacksRead.pagination": Word("where this stretch lies in the whole"),
    "FeedEventRead.eventId": Word(
        "the `webhook-id` of its callback, if one was sent", "6f1c3f0e-7d0b-5b7e-9c55-2a4f0e8d1b3a"
    ),
    "FeedEventRead.sessionId": Word("the session that it happened to", "3f0b1c9a-5d7e-4a64-9f0e-0a1b2c3d4e5f"),
    "FeedEventRead.sequence": Word("number within the session, from 1", 1),
    "FeedEventRead.details": Word("what else there is to know about this event, by name"),
    "FeedEventRead.ip": Word("the address that the request came from", "192.0.2.7"),
    "FeedEventRead.type": Word("what happened"),
    "FeedRead.cursor": Word("what to ask for the next stretch with, now or later", "NDI6OWYyYzRhN2JkMTBlNjM4NQ"),
    "FeedRead.events": Word("at most `limit` of them"),
    "FeedRead.hasMore": Word("whether there are more already"),
    "DeletedSession.previousStatus": Word("the status before this call"),
    "DeletedSession.status": Word("the status after this call: `cancelled` for an archived session, or `deleted`"),
    "DependencyRead.name": Word("which engine"),
    "DownloadEntry.fileName": Word("under which it is downloaded", "Consulting agreement.pdf"),
    "DownloadsRead.documents": Word("one entry for each file; Get Document answers with one"),
    "DownloadsRead.sessionStatus": Word("`completed` or `completedAndGenerated`"),
    "FileCreate.fileName": Word("name of the PDF; null: the title with `.pdf` appended", "Consulting agreement.pdf"),
    "UploadedFileCreate.fileName": Word("name of the PDF; null: that under which it was uploaded", "Price list.pdf"),
    "EventRead.details": Word("what else there is to know about this event, by name"),
    "EventRead.ip": Word("the address that the request came from", "192.0.2.7"),
    "EventRead.sequence": Word("number within the session, from 1", 1),
    "EventRead.type": Word("what happened"),
    "FileRead.fileName": Word("under which it is downloaded", "Consulting agreement.pdf"),
    "FileRead.sha256": Word("SHA-256 of the PDF as it was sent, hexadecimal", _SHA256),
    "FileRead.signedSha256": Word("SHA-256 of the signed PDF, hexadecimal; null until it is generated", _SHA256),
    "Heading.text": Word("at most 500 characters", "1. Services"),
    "Image.width": Word("points, 1/72 inch; default: one for each pixel, at most 483", 240),
    "Logo.width": Word("points, 1/72 inch; default: as wide as the slot of 130 x 60 points has room for", 90),
    "Paragraph.fontSize": Word("points, 1/72 inch; null: the usual size", 11),
    "PageBreak.header": Word(
        "left out: the page has the document's header; null: it has none, and its content begins at the top margin; an "
        "object: its header has another title and subtitle. Pages after it have the document's again, unless "
        "`headerScope` says otherwise"
    ),
    "PageBreak.headerScope": Word(
        "for which pages `header` holds: `page`, the one after the break; `section`, all up to the next `pageBreak`",
        "section",
    ),
    "PageHeader.subtitle": Word("smaller, under the title, at most 200 characters; null: none"),
    "PageHeader.title": Word("must fit on one line, which about 30 characters do", "Annex A"),
    "Paragraph.text": Word("wraps by itself; a newline breaks the line", "The consultant advises the client."),
    "RegisteredRead.client_id": Word("what the program is called when it asks", _ID),
    "RegisteredRead.client_secret": Word("shown once; null: the program has none"),
    "RegisteredRead.scope": Word("what it may ask people for, separated by spaces"),
    "ServerMetadata.issuer": Word("the address of this service"),
    "ServerMetadata.service_documentation": Word("where people read about it"),
    "RecipientRead.sentAt": Word(
        "when their latest invitation went out, which moves with every new one; null: not invited yet",
        "2026-06-12T10:30:00.000Z",
    ),
    "RecipientRead.status": Word("how far this recipient is"),
    "InvitationSent.sentAt": Word("when this invitation went out", "2026-06-12T10:30:00.000Z"),
    "InvitationCreate.recipientEmail": Word(
        "the address of a recipient, in upper or lower case; where several share it, it means the first of them in the "
        "signing order whose turn it is",
        "ada@example.com",
    ),
    "SessionCreate.message": Word("shown in the invitation, at most 1,000 characters; null: none"),
    "SessionFromTemplate.message": Word(
        "shown in the invitation, at most 1,000 characters; null: none; left out: the template's"
    ),
    "TemplateCreate.message": Word("shown in the invitations of its sessions, at most 1,000 characters; null: none"),
    "TemplateRead.message": Word("shown in the invitations of its sessions; null: none"),
    "SessionFromTemplate.expiryDays": Word(
        "days from sending until it expires; null: never; left out: the template's", 30
    ),
    "sendImmediately": Word("send it at once instead of keeping a draft"),
    "SignatureBlock.label": Word("printed above the signature area", "For the client"),
    "Spacer.height": Word("points, 1/72 inch", 12),
    "TemplateListed.status": Word("whether sessions can be made from it"),
    "TemplateRead.status": Word("whether sessions can be made from it"),
    "TemplateListed.name": Word("what people call it", "Lease"),
    "TemplateRead.name": Word("what people call it", "Lease"),
    "TemplateCreate.name": Word(
        "what people call it; also the name of its sessions, unless they have their own", "Lease"
    ),
    "VariableCreate.type": Word("what its values are"),
    "VariableRead.name": Word("what tokens name: `{{{name}}}`", "tenant"),
    "VariableRead.type": Word("what its values are"),
    "VariableRead.required": Word("whether it must have a value, given or default"),
    "accentColor": Word("of section headings, and of the thin stripe under a band"),
    "authorization_endpoint": Word("where programs send people's browsers with their question"),
    "authorization_response_iss_parameter_supported": Word("whether answers say who gives them (RFC 9207)"),
    "authorization_servers": Word("who issues tokens for it"),
    "bearer_methods_supported": Word("how the token is sent: in the header `Authorization` only"),
    "client_name": Word("what people are shown; nobody checks it", "Assistant"),
    "code_challenge_methods_supported": Word("of PKCE (RFC 7636): `plain` is not taken"),
    "grant_types": Word("how it gets tokens"),
    "redirect_uris": Word("where answers may be sent, compared as texts; on the program's own machine any port"),
    "registration_endpoint": Word("where programs register (RFC 7591)"),
    "resource": Word("what it is about, and what tokens name as their audience"),
    "resource_documentation": Word("where people read about it"),
    "resource_name": Word("what people call it"),
    "response_modes_supported": Word("how answers come: in the query of the program's address"),
    "response_types": Word("what it asks for"),
    "revocation_endpoint": Word("where programs end what they were granted (RFC 7009)"),
    "revocation_endpoint_auth_methods_supported": Word("how programs show who they are there"),
    "token_endpoint_auth_method": Word("how the program shows who it is; `none`: it has no secret"),
    "access_token": Word("send it as `Authorization: Bearer <access_token>`"),
    "actor": Word("who did it"),
    "align": Word("where it stands between the margins"),
    "at": Word("when it happened"),
    "bandTextColor": Word("of title and subtitle on a band; default: white"),
    "bold": Word("whether it is printed bold"),
    "callbackUrl": Word("is told every change of status; null: nobody is", "https://example.com/hooks/undersign"),
    "completedAt": Word("when they signed; null: not yet"),
    "completedDate": Word("when the last recipient signed; null: not yet"),
    "createdAfter": Word("only what was made at this time or later"),
    "createdAt": Word("when it was made"),
    "createdBefore": Word("only what was made earlier than this"),
    "defaultValue": Word("taken when no value is given"),
    "description": Word("for whoever fills it in"),
    "displayName": Word("what people see instead of the name"),
    "document": Word("the block document"),
    "documents": Word("one entry for each file"),
    "email": Word("email address; kept in lower case, however it was given", "ada@example.com"),
    "error": Word("the code, for programs"),
    "error_description": Word("what is wrong, for people"),
    "eventId": Word("identifier of the event that is reported", _ID),
    "dependencies": Word("one row for each engine"),
    "events": Word("oldest first"),
    "expiryDays": Word("days from sending until it expires; null: never", 30),
    "fields": Word("2 or 3 inputs, side by side"),
    "fieldType": Word("what is filled in"),
    "fileId": Word("identifier of the file", _ID),
    "fileName": Word("name of the file", "Consulting agreement.pdf"),
    "files": Word("the documents, in order"),
    "fontSize": Word("points, 1/72 inch", 11),
    "grant_types_supported": Word("how clients get tokens"),
    "hasMore": Word("whether there are rows after these", example=False),
    "hasVariables": Word("whether it declares variables", example=True),
    "hash": Word(
        "SHA-256 of the canonical JSON of all the other members, `previousHash` among them, hexadecimal", _SHA256
    ),
    "headerStyle": Word("`line`: a coloured title with a rule under it; `band`: a filled band across the top"),
    "id": Word("identifier", _ID),
    "issues": Word("all mistakes at once"),
    "jwks_uri": Word("where the public keys are"),
    "key": Word("by which blocks name the recipient", "client"),
    "kind": Word("of what kind it is"),
    "label": Word("printed beside or above, and shown to the signer", "Purchase order"),
    "header": Word("omitted: the document's; null: none; an object: another title and subtitle"),
    "limit": Word("how many rows at most", 50),
    "message": Word("what is wrong and what to do next"),
    "muted": Word("whether it is printed grey"),
    "name": Word("what people call it", "Consulting agreement"),
    "PreviewRecipient.name": Word("full name", "Ada Lovelace"),
    "RecipientCreate.name": Word("full name", "Ada Lovelace"),
    "RecipientRead.name": Word("full name", "Ada Lovelace"),
    "SentRecipient.name": Word("full name", "Ada Lovelace"),
    "offset": Word("how many rows are left out before these", 0),
    "page": Word("number of the page, from 1", 1),
    "pageCount": Word("how many pages it has", 3),
    "pagination": Word("which rows these are"),
    "permanent": Word("whether it was deleted permanently"),
    "previousStatus": Word("the status before it was archived; null: it is not archived"),
    "primaryColor": Word("of the title and the rule under it, or of the band"),
    "ready": Word("whether it answers"),
    "recipient": Word("key of the recipient whose it is", "client"),
    "recipientCount": Word("how many recipients it has", 2),
    "recipientEmail": Word("email address of the recipient", "ada@example.com"),
    "recipientId": Word("identifier of the recipient", _ID),
    "recipientVerification": Word("what recipients do beside following their link before the documents open"),
    "recipients": Word("who signs"),
    "reminderEnabled": Word("whether those whose turn it is are reminded"),
    "reminderFrequency": Word("how often"),
    "required": Word("whether it has to be filled in"),
    "response_types_supported": Word("what programs may ask for: a code"),
    "restorable": Word("whether it can be restored"),
    "scope": Word("what the token allows, separated by spaces"),
    "scopes_supported": Word("all scopes there are"),
    "sentAt": Word("when it was sent; null: not yet"),
    "sessionId": Word("identifier of the session", _ID),
    "sessionStatus": Word("status of the session"),
    "signingOrder": Word("from 1; equal ones sign in parallel", 1),
    "sessions": Word("one row for each, without its files"),
    "sortBy": Word("by what the rows are sorted"),
    "sortOrder": Word("`asc`: the least, the oldest or A first; `desc`: the other way round"),
    "status": Word("where it stands now"),
    "subtitle": Word("smaller, under the title; at most 200 characters"),
    "templateId": Word("identifier of the template", _ID),
    "success": Word("always true"),
    "templates": Word("one row for each"),
    "textColor": Word("of body text"),
    "title": Word("must fit on one line, which about 30 characters do", "Consulting agreement"),
    "token": Word("from the address that was handed out"),
    "token_endpoint": Word("where clients get tokens"),
    "token_endpoint_auth_methods_supported": Word("how clients show who they are"),
    "total": Word("how many rows there are in all", 120),
    "type": Word("which kind it is"),
    "updatedAfter": Word("only what has changed at this time or later"),
    "updatedAt": Word("when it last changed"),
    "updatedBefore": Word("only what has changed earlier than this"),
    "userAgent": Word("what the browser or program calls itself"),
    "variables": Word("the variables that tokens may name"),
    "variableValues": Word("a value for each variable, by name"),
    "warnings": Word("what is unwise, and keeps nothing from being sent"),
    "viewedAt": Word("when they first opened the documents; null: not yet"),
}


def find_word(schema: str, member: str) -> Word | None:
    """What `member` of `schema` means, if it is known here."""
    return WORDS.get(f"{schema}.{member}") or WORDS.get(member)
