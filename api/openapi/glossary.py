"""What members and kinds of values mean, in the same words wherever they occur.

A member that a schema describes itself keeps its own words. `Schema.member` here goes before `member`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from api.openapi.enums import ENUMS, described

_SHA256 = "3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b"
_ID = "5f0c3c1e-3f0b-4b7a-9d5c-6f1f2a3b4c5d"


class Term(NamedTuple):
    """What something means, and one value that it could have."""

    meaning: str
    example: str | int | bool | None = None


SCHEMAS: Mapping[str, str] = {
    **{name: described(kind) for name, kind in ENUMS.items()},
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

TERMS: Mapping[str, Term] = {
    "BlockDocument.blocks": Term("the content, in order"),
    "BlockDocument.footerLabel": Term("at the foot of every page, before “page X of Y”; default: the title"),
    "BlockDocument.logo": Term("a picture at the right of every page's header; null: none"),
    "BlockDocument.theme": Term("its colours; null: the classic look"),
    "BlockDocument.title": Term("in the header of every page; must fit on one line, which about 30 characters do"),
    "BulletList.items": Term("one bullet for each", None),
    "CallbackAttemptRead.at": Term("when the try began", "2026-06-12T10:30:00.000Z"),
    "CallbackAttemptRead.durationMs": Term("how long the try took, in milliseconds", 182),
    "CallbackAttemptRead.error": Term(
        "why it was no success; null when the receiver answered 2xx", "no answer within 15 s"
    ),
    "CallbackAttemptRead.statusCode": Term("what the receiver answered; null when nothing came", 500),
    "CallbackRead.attempts": Term("every try, oldest first"),
    "CallbackRead.eventId": Term("the `webhook-id` of every try", "6f1c3f0e-7d0b-5b7e-9c55-2a4f0e8d1b3a"),
    "CallbackRead.nextAttemptAt": Term(
        "when it is tried next; null when that is not to happen by itself", "2026-06-12T10:35:00.000Z"
    ),
    "CallbackRead.pausedSince": Term(
        "since when its receiver, which had failed for three days, is left alone; null: it is not",
        "2026-06-15T10:30:00.000Z",
    ),
    "CallbackRead.status": Term("how far its delivery is"),
    "CallbackBody.type": Term(described(ENUMS["CallbackType"])),
    "CallbackRead.type": Term("what happened"),
    "AnnouncedRecipient.name": Term("full name", "Ada Lovelace"),
    "CallbacksRead.callbacks": Term("at most `limit` of them"),
    "CallbacksRead.pagination": Term("where this stretch lies in the whole"),
    "FeedEventRead.eventId": Term(
        "the `webhook-id` of its callback, if one was sent", "6f1c3f0e-7d0b-5b7e-9c55-2a4f0e8d1b3a"
    ),
    "FeedEventRead.sessionId": Term("the session that it happened to", "3f0b1c9a-5d7e-4a64-9f0e-0a1b2c3d4e5f"),
    "FeedEventRead.sequence": Term("number within the session, from 1", 1),
    "FeedEventRead.details": Term("what else there is to know about this event, by name"),
    "FeedEventRead.ip": Term("the address that the request came from", "192.0.2.7"),
    "FeedEventRead.type": Term("what happened"),
    "FeedRead.cursor": Term("what to ask for the next stretch with, now or later", "NDI6OWYyYzRhN2JkMTBlNjM4NQ"),
    "FeedRead.events": Term("at most `limit` of them"),
    "FeedRead.hasMore": Term("whether there are more already"),
    "DeletedSession.previousStatus": Term("the status before this call"),
    "DeletedSession.status": Term("the status after this call: `cancelled` for an archived session, or `deleted`"),
    "DependencyRead.name": Term("which engine"),
    "DownloadEntry.fileName": Term("under which it is downloaded", "Consulting agreement.pdf"),
    "DownloadsRead.documents": Term("one entry for each file; Get Document answers with one"),
    "DownloadsRead.sessionStatus": Term("`completed` or `completedAndGenerated`"),
    "FileCreate.fileName": Term("name of the PDF; null: the title with `.pdf` appended", "Consulting agreement.pdf"),
    "UploadedFileCreate.fileName": Term("name of the PDF; null: that under which it was uploaded", "Price list.pdf"),
    "EventRead.details": Term("what else there is to know about this event, by name"),
    "EventRead.ip": Term("the address that the request came from", "192.0.2.7"),
    "EventRead.sequence": Term("number within the session, from 1", 1),
    "EventRead.type": Term("what happened"),
    "FileRead.fileName": Term("under which it is downloaded", "Consulting agreement.pdf"),
    "FileRead.sha256": Term("SHA-256 of the PDF as it was sent, hexadecimal", _SHA256),
    "FileRead.signedSha256": Term("SHA-256 of the signed PDF, hexadecimal; null until it is generated", _SHA256),
    "Heading.text": Term("at most 500 characters", "1. Services"),
    "Image.width": Term("points, 1/72 inch; default: one for each pixel, at most 483", 240),
    "Logo.width": Term("points, 1/72 inch; default: as wide as the slot of 130 x 60 points has room for", 90),
    "Paragraph.fontSize": Term("points, 1/72 inch; null: the usual size", 11),
    "PageBreak.header": Term(
        "left out: the page has the document's header; null: it has none, and its content begins at the top margin; an "
        "object: its header has another title and subtitle. Pages after it have the document's again, unless "
        "`headerScope` says otherwise"
    ),
    "PageBreak.headerScope": Term(
        "for which pages `header` holds: `page`, the one after the break; `section`, all up to the next `pageBreak`",
        "section",
    ),
    "PageHeader.subtitle": Term("smaller, under the title, at most 200 characters; null: none"),
    "PageHeader.title": Term("must fit on one line, which about 30 characters do", "Annex A"),
    "Paragraph.text": Term("wraps by itself; a newline breaks the line", "The consultant advises the client."),
    "RegisteredRead.client_id": Term("what the program is called when it asks", _ID),
    "RegisteredRead.client_secret": Term("shown once; null: the program has none"),
    "RegisteredRead.scope": Term("what it may ask people for, separated by spaces"),
    "ServerMetadata.issuer": Term("the address of this service"),
    "ServerMetadata.service_documentation": Term("where people read about it"),
    "RecipientRead.sentAt": Term(
        "when their latest invitation went out, which moves with every new one; null: not invited yet",
        "2026-06-12T10:30:00.000Z",
    ),
    "RecipientRead.status": Term("how far this recipient is"),
    "InvitationSent.sentAt": Term("when this invitation went out", "2026-06-12T10:30:00.000Z"),
    "InvitationCreate.recipientEmail": Term(
        "the address of a recipient, in upper or lower case; where several share it, it means the first of them in the "
        "signing order whose turn it is",
        "ada@example.com",
    ),
    "SessionCreate.message": Term("shown in the invitation, at most 1,000 characters; null: none"),
    "SessionFromTemplate.message": Term(
        "shown in the invitation, at most 1,000 characters; null: none; left out: the template's"
    ),
    "TemplateCreate.message": Term("shown in the invitations of its sessions, at most 1,000 characters; null: none"),
    "TemplateRead.message": Term("shown in the invitations of its sessions; null: none"),
    "SessionFromTemplate.expiryDays": Term(
        "days from sending until it expires; null: never; left out: the template's", 30
    ),
    "sendImmediately": Term("send it at once instead of keeping a draft"),
    "SignatureBlock.label": Term("printed above the signature area", "For the client"),
    "Spacer.height": Term("points, 1/72 inch", 12),
    "TemplateListed.status": Term("whether sessions can be made from it"),
    "TemplateRead.status": Term("whether sessions can be made from it"),
    "TemplateListed.name": Term("what people call it", "Lease"),
    "TemplateRead.name": Term("what people call it", "Lease"),
    "TemplateCreate.name": Term(
        "what people call it; also the name of its sessions, unless they have their own", "Lease"
    ),
    "VariableCreate.type": Term("what its values are"),
    "VariableRead.name": Term("what tokens name: `{{{name}}}`", "tenant"),
    "VariableRead.type": Term("what its values are"),
    "VariableRead.required": Term("whether it must have a value, given or default"),
    "accentColor": Term("of section headings, and of the thin stripe under a band"),
    "authorization_endpoint": Term("where programs send people's browsers with their question"),
    "authorization_response_iss_parameter_supported": Term("whether answers say who gives them (RFC 9207)"),
    "authorization_servers": Term("who issues tokens for it"),
    "bearer_methods_supported": Term("how the token is sent: in the header `Authorization` only"),
    "client_name": Term("what people are shown; nobody checks it", "Assistant"),
    "code_challenge_methods_supported": Term("of PKCE (RFC 7636): `plain` is not taken"),
    "grant_types": Term("how it gets tokens"),
    "redirect_uris": Term("where answers may be sent, compared as texts; on the program's own machine any port"),
    "registration_endpoint": Term("where programs register (RFC 7591)"),
    "resource": Term("what it is about, and what tokens name as their audience"),
    "resource_documentation": Term("where people read about it"),
    "resource_name": Term("what people call it"),
    "response_modes_supported": Term("how answers come: in the query of the program's address"),
    "response_types": Term("what it asks for"),
    "revocation_endpoint": Term("where programs end what they were granted (RFC 7009)"),
    "revocation_endpoint_auth_methods_supported": Term("how programs show who they are there"),
    "token_endpoint_auth_method": Term("how the program shows who it is; `none`: it has no secret"),
    "access_token": Term("send it as `Authorization: Bearer <access_token>`"),
    "actor": Term("who did it"),
    "align": Term("where it stands between the margins"),
    "at": Term("when it happened"),
    "bandTextColor": Term("of title and subtitle on a band; default: white"),
    "bold": Term("whether it is printed bold"),
    "callbackUrl": Term("is told every change of status; null: nobody is", "https://example.com/hooks/undersign"),
    "completedAt": Term("when they signed; null: not yet"),
    "completedDate": Term("when the last recipient signed; null: not yet"),
    "createdAfter": Term("only what was made at this time or later"),
    "createdAt": Term("when it was made"),
    "createdBefore": Term("only what was made earlier than this"),
    "defaultValue": Term("taken when no value is given"),
    "description": Term("for whoever fills it in"),
    "displayName": Term("what people see instead of the name"),
    "document": Term("the block document"),
    "documents": Term("one entry for each file"),
    "email": Term("email address; kept in lower case, however it was given", "ada@example.com"),
    "error": Term("the code, for programs"),
    "error_description": Term("what is wrong, for people"),
    "eventId": Term("identifier of the event that is reported", _ID),
    "dependencies": Term("one row for each engine"),
    "events": Term("oldest first"),
    "expiryDays": Term("days from sending until it expires; null: never", 30),
    "fields": Term("2 or 3 inputs, side by side"),
    "fieldType": Term("what is filled in"),
    "fileId": Term("identifier of the file", _ID),
    "fileName": Term("name of the file", "Consulting agreement.pdf"),
    "files": Term("the documents, in order"),
    "fontSize": Term("points, 1/72 inch", 11),
    "grant_types_supported": Term("how clients get tokens"),
    "hasMore": Term("whether there are rows after these", example=False),
    "hasVariables": Term("whether it declares variables", example=True),
    "hash": Term(
        "SHA-256 of the canonical JSON of all the other members, `previousHash` among them, hexadecimal", _SHA256
    ),
    "headerStyle": Term("`line`: a coloured title with a rule under it; `band`: a filled band across the top"),
    "id": Term("identifier", _ID),
    "issues": Term("all mistakes at once"),
    "jwks_uri": Term("where the public keys are"),
    "key": Term("by which blocks name the recipient", "client"),
    "kind": Term("of what kind it is"),
    "label": Term("printed beside or above, and shown to the signer", "Purchase order"),
    "header": Term("omitted: the document's; null: none; an object: another title and subtitle"),
    "limit": Term("how many rows at most", 50),
    "message": Term("what is wrong and what to do next"),
    "muted": Term("whether it is printed grey"),
    "name": Term("what people call it", "Consulting agreement"),
    "PreviewRecipient.name": Term("full name", "Ada Lovelace"),
    "RecipientCreate.name": Term("full name", "Ada Lovelace"),
    "RecipientRead.name": Term("full name", "Ada Lovelace"),
    "SentRecipient.name": Term("full name", "Ada Lovelace"),
    "offset": Term("how many rows are left out before these", 0),
    "page": Term("number of the page, from 1", 1),
    "pageCount": Term("how many pages it has", 3),
    "pagination": Term("which rows these are"),
    "permanent": Term("whether it was deleted permanently"),
    "previousStatus": Term("the status before it was archived; null: it is not archived"),
    "primaryColor": Term("of the title and the rule under it, or of the band"),
    "ready": Term("whether it answers"),
    "recipient": Term("key of the recipient whose it is", "client"),
    "recipientCount": Term("how many recipients it has", 2),
    "recipientEmail": Term("email address of the recipient", "ada@example.com"),
    "recipientId": Term("identifier of the recipient", _ID),
    "recipientVerification": Term("what recipients do beside following their link before the documents open"),
    "recipients": Term("who signs"),
    "reminderEnabled": Term("whether those whose turn it is are reminded"),
    "reminderFrequency": Term("how often"),
    "required": Term("whether it has to be filled in"),
    "response_types_supported": Term("what programs may ask for: a code"),
    "restorable": Term("whether it can be restored"),
    "scope": Term("what the token allows, separated by spaces"),
    "scopes_supported": Term("all scopes there are"),
    "sentAt": Term("when it was sent; null: not yet"),
    "sessionId": Term("identifier of the session", _ID),
    "sessionStatus": Term("status of the session"),
    "signingOrder": Term("from 1; equal ones sign in parallel", 1),
    "sessions": Term("one row for each, without its files"),
    "sortBy": Term("by what the rows are sorted"),
    "sortOrder": Term("`asc`: the least, the oldest or A first; `desc`: the other way round"),
    "status": Term("where it stands now"),
    "subtitle": Term("smaller, under the title; at most 200 characters"),
    "templateId": Term("identifier of the template", _ID),
    "success": Term("always true"),
    "templates": Term("one row for each"),
    "textColor": Term("of body text"),
    "title": Term("must fit on one line, which about 30 characters do", "Consulting agreement"),
    "token": Term("from the address that was handed out"),
    "token_endpoint": Term("where clients get tokens"),
    "token_endpoint_auth_methods_supported": Term("how clients show who they are"),
    "total": Term("how many rows there are in all", 120),
    "type": Term("which kind it is"),
    "updatedAfter": Term("only what has changed at this time or later"),
    "updatedAt": Term("when it last changed"),
    "updatedBefore": Term("only what has changed earlier than this"),
    "userAgent": Term("what the browser or program calls itself"),
    "variables": Term("the variables that tokens may name"),
    "variableValues": Term("a value for each variable, by name"),
    "warnings": Term("what is unwise, and keeps nothing from being sent"),
    "viewedAt": Term("when they first opened the documents; null: not yet"),
}


def find_term(schema: str, member: str) -> Term | None:
    """What `member` of `schema` means, if it is known here."""
    return TERMS.get(f"{schema}.{member}") or TERMS.get(member)
