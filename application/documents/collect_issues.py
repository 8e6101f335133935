"""Collects the issues of documents in an invalid request, to report all at once (Specification 4.6).

They include those about recipients who do not sign: no block of a document may name them (Specification 2.9).
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from application.caller import Caller
from application.documents.render_jobs import RenderedDocument, render_document
from application.errors import MAX_ISSUES, InvalidRequest, RequestIssue
from application.off_loop import off_loop
from application.schemas.errors import FiledIssue
from application.services import Services
from application.uploads.session_copies import find_images, image_files
from domain.session.recipients import RecipientRole
from layout.checks.find_issues import shorten, token_issues
from layout.schema.block_document import BlockDocument
from layout.schema.issues import IssueKind

_NOT_A_SIGNER = (
    "The recipient “{key}” has the role {role}, and only a signer fills in and signs. Use the key of a signer, or make "
    "this recipient one."
)


class WithRole(Protocol):
    """A recipient of a request."""

    @property
    def key(self) -> str: ...

    @property
    def role(self) -> RecipientRole: ...


def signer_keys(recipients: Sequence[WithRole]) -> tuple[str, ...]:
    return tuple(recipient.key for recipient in recipients if recipient.role is RecipientRole.SIGNER)


def not_a_signer(recipient: WithRole) -> str:
    """Returns the message of an issue `not-a-signer`."""
    return _NOT_A_SIGNER.format(key=shorten(recipient.key), role=recipient.role)


def with_role_issues(
    result: RenderedDocument, document: BlockDocument, recipients: Sequence[WithRole]
) -> RenderedDocument:
    """Returns `result` with an issue `not-a-signer` for each block that names a recipient who does not sign.

    `result` reports these recipients as unknown, because it was rendered with the keys of signers only.
    """
    others = {recipient.key: recipient for recipient in recipients if recipient.role is not RecipientRole.SIGNER}
    named = {f"{path}/recipient": others[part.recipient] for path, part in document.bound() if part.recipient in others}
    issues = (
        replace(issue, kind=IssueKind.NOT_A_SIGNER, message=not_a_signer(named[issue.path]))
        if issue.path in named and issue.kind is IssueKind.UNKNOWN_RECIPIENT
        else issue
        for issue in result.issues
    )
    return replace(result, issues=tuple(issues))


class _ParsedRecipient(NamedTuple):
    key: str
    role: RecipientRole


class _ParsedRequest(NamedTuple):
    """The readable parts of an invalid request: documents by JSON pointer, recipients, names of variables.

    `unsure` are the kinds of issues that are undecidable because recipients or variables are invalid.
    """

    documents: dict[str, BlockDocument]
    recipients: Sequence[_ParsedRecipient]
    variables: Collection[str] | None
    unsure: Collection[IssueKind]


async def with_document_issues(
    services: Services, caller: Caller, body: bytes, refused: InvalidRequest
) -> InvalidRequest:
    """Returns `refused`, the error of `body`, with the issues of the well-formed documents of `body` added."""
    if len(refused.issues) == MAX_ISSUES or not all(issue.path for issue in refused.issues):
        return refused
    paths = [issue.path for issue in refused.issues]
    posted = await off_loop(len(body), lambda: _posted(from_json(body), paths))
    try:
        images = await find_images(services, caller.organisation_id, posted.documents.values(), "/files")
    except InvalidRequest as too_large:
        return InvalidRequest([*refused.issues, *too_large.issues])
    keys = signer_keys(posted.recipients)
    results = await asyncio.gather(
        *(
            services.pool.run(render_document, document, keys, image_files(document, images), posted.variables)
            for document in posted.documents.values()
        )
    )
    issues = [
        RequestIssue(f"{place}{issue.path}", issue.message)
        for (place, document), result in zip(posted.documents.items(), results, strict=True)
        for issue in with_role_issues(result, document, posted.recipients).issues
        if issue.kind not in posted.unsure
    ]
    return InvalidRequest([*refused.issues, *issues])


def _posted(written: Any, paths: Sequence[str]) -> _ParsedRequest:  # noqa: ANN401  # any JSON
    """Returns the readable parts of the parsed body `written`, which has issues at the JSON pointers `paths`."""
    written = written if isinstance(written, dict) else {}
    is_of_session = "files" in written or written.get("kind") == "session"
    wrong = {
        IssueKind.UNKNOWN_RECIPIENT: "/recipients",
        IssueKind.NOT_A_SIGNER: "/recipients",
        IssueKind.UNDECLARED_VARIABLE: "/kind" if "/kind" in paths else "/variables",
        IssueKind.TOKENS_IN_SESSION: "/kind",
    }
    return _ParsedRequest(
        documents=dict(_documents(written, paths)),
        recipients=tuple(
            _ParsedRecipient(one["key"], _role(one.get("role"))) for one in _named(written, "recipients", "key")
        ),
        variables=None if is_of_session else [one["name"] for one in _named(written, "variables", "name")],
        unsure={kind for kind, place in wrong.items() if _is_invalid(paths, place)},
    )


def _named(written: dict[str, Any], member: str, name: str) -> tuple[dict[str, Any], ...]:
    """Returns the objects in the list `member` of the body that have a string `name`."""
    listed = written.get(member)
    objects = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return tuple(one for one in objects if isinstance(one.get(name), str))


def _role(given: object) -> RecipientRole:
    return RecipientRole(given) if isinstance(given, str) and given in set(RecipientRole) else RecipientRole.SIGNER


def _documents(written: dict[str, Any], paths: Sequence[str]) -> Iterator[tuple[str, BlockDocument]]:
    """Yields each well-formed document of the body with its JSON pointer."""
    files = written.get("files")
    places = {f"/files/{number}/document": file for number, file in enumerate(files)} if isinstance(files, list) else {}
    if "/files" in paths:  # too many files, or none
        places = {}
    for place, holder in (places or {"/document": written}).items():
        if isinstance(holder, dict) and "document" in holder and not _is_invalid(paths, place):
            document = to_json(holder["document"])
            with suppress(ValidationError):  # a file of another type has no document
                yield place, BlockDocument.model_validate_json(document, strict=True, by_alias=True, by_name=False)


def _is_invalid(paths: Sequence[str], place: str) -> bool:
    return any(path == place or path.startswith(f"{place}/") for path in paths)


class Named(Protocol):
    """A recipient of a request."""

    @property
    def name(self) -> str | None: ...

    @property
    def email(self) -> str | None: ...


def misplaced_placeholders(recipients: Iterable[Named], variables: Collection[str] | None) -> Iterator[FiledIssue]:
    """Yields an issue, on page 1 of the first file, for each placeholder in a name or email without a variable.

    `variables` is None for a session, which has no placeholders.
    """
    for number, recipient in enumerate(recipients):
        for member, text in (("name", recipient.name), ("email", recipient.email)):
            path = f"/recipients/{number}/{member}"
            yield from (FiledIssue(0, path, issue) for issue in token_issues(path, text or "", 1, variables))
