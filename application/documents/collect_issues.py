"""Collects the issues of the documents in an invalid request, to report all issues at once (Specification 4.6)."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from application.caller import Caller
from application.documents.render_jobs import RenderedDocument, render_document
from application.errors import MOST_ISSUES, InvalidRequest, RequestIssue
from application.services import Services
from application.uploads.session_copies import find_images, image_files
from layout.checks.find_issues import token_issues
from layout.schema.block_document import BlockDocument
from layout.schema.issues import IssueKind
from schemas.errors import FiledIssue

M = TypeVar("M", bound=BaseModel)


class _ParsedRequest(NamedTuple):
    """The readable parts of an invalid request.

    `documents` are keyed by JSON pointer. `keys` are the keys of the recipients, `variables` the names of the
    variables. `unsure` are the kinds of issues that are undecidable because recipients or variables are invalid.
    """

    documents: dict[str, BlockDocument]
    keys: Collection[str]
    variables: Collection[str] | None
    unsure: Collection[IssueKind]


async def with_document_issues(
    services: Services, caller: Caller, body: bytes, refused: InvalidRequest
) -> InvalidRequest:
    """Returns `refused`, the error of `body`, with the issues of the well-formed documents of `body` added."""
    if len(refused.issues) == MOST_ISSUES or not all(issue.path for issue in refused.issues):
        return refused
    posted = _posted(from_json(body), [issue.path for issue in refused.issues])
    try:
        images = await find_images(services, caller.organisation_id, posted.documents.values(), "/files")
    except InvalidRequest as too_large:
        return InvalidRequest([*refused.issues, *too_large.issues])
    results = await asyncio.gather(
        *(
            services.pool.run(render_document, document, posted.keys, image_files(document, images), posted.variables)
            for document in posted.documents.values()
        )
    )
    found = zip(posted.documents, results, strict=True)
    return InvalidRequest([*refused.issues, *(issue for place, one in found for issue in _issues(place, one, posted))])


def _issues(place: str, result: RenderedDocument, posted: _ParsedRequest) -> Iterator[RequestIssue]:
    for issue in result.issues:
        if issue.kind not in posted.unsure:
            yield RequestIssue(f"{place}{issue.path}", issue.message)


def _posted(written: Any, told: Sequence[str]) -> _ParsedRequest:  # noqa: ANN401  # any JSON
    """Returns the readable parts of the parsed body `written`, which has issues at the JSON pointers `told`."""
    written = written if isinstance(written, dict) else {}
    is_of_session = "files" in written or written.get("kind") == "session"
    wrong = {
        IssueKind.UNKNOWN_RECIPIENT: "/recipients",
        IssueKind.UNDECLARED_VARIABLE: "/kind" if "/kind" in told else "/variables",
        IssueKind.TOKENS_IN_SESSION: "/kind",
    }
    return _ParsedRequest(
        documents=dict(_documents(written, told)),
        keys=_named(written, "recipients", "key"),
        variables=None if is_of_session else _named(written, "variables", "name"),
        unsure={kind for kind, place in wrong.items() if _is_told(told, place)},
    )


def _named(written: dict[str, Any], member: str, name: str) -> tuple[str, ...]:
    """Returns the strings `name` of the objects in the list `member` of the body; skips objects without one."""
    listed = written.get(member)
    objects = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return tuple(one[name] for one in objects if isinstance(one.get(name), str))


def _documents(written: dict[str, Any], told: Sequence[str]) -> Iterator[tuple[str, BlockDocument]]:
    """Yields each well-formed document of the body with its JSON pointer."""
    files = written.get("files")
    places = {f"/files/{number}/document": file for number, file in enumerate(files)} if isinstance(files, list) else {}
    if "/files" in told:  # too many files, or none
        places = {}
    for place, holder in (places or {"/document": written}).items():
        if isinstance(holder, dict) and "document" in holder and not _is_told(told, place):
            try:
                yield (
                    place,
                    BlockDocument.model_validate_json(
                        to_json(holder["document"]), strict=True, by_alias=True, by_name=False
                    ),
                )
            except ValidationError:
                continue  # the file has another type, which has no document


def _is_told(told: Sequence[str], place: str) -> bool:
    return any(path == place or path.startswith(f"{place}/") for path in told)


class Named(Protocol):
    """A recipient of a request."""

    @property
    def name(self) -> str | None: ...

    @property
    def email(self) -> str | None: ...


def misplaced_placeholders(recipients: Iterable[Named], variables: Collection[str] | None) -> Iterator[FiledIssue]:
    """Yields an issue for each placeholder that names none of the `variables`, which are None for a session.

    The issues refer to page 1 of the first file.
    """
    for number, recipient in enumerate(recipients):
        for member, text in (("name", recipient.name), ("email", recipient.email)):
            path = f"/recipients/{number}/{member}"
            yield from (FiledIssue(0, path, issue) for issue in token_issues(path, text or "", 1, variables))
