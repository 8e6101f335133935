"""Previews the JSON of a session or a template: every issue for which creating it fails, or its pages."""

from collections.abc import Mapping
from typing import NamedTuple

from application.caller import Caller
from application.documents.collect_issues import with_document_issues
from application.documents.render_jobs import RenderedDocument
from application.errors import DocumentValidationFailed, InvalidRequest, RequestIssue
from application.parse_json import M, parse_json
from application.services import Services
from application.sessions.create import check_session, warnings_of
from application.templates.sample import render_sample, sample_names
from application.templates.templates import build_template, check_template
from domain.session.labels import ExternalIdTaken
from domain.shared.ids import TemplateId
from layout.zones.zone import Zone
from schemas.previews import WarningRead
from schemas.session_create import SessionCreate
from schemas.template_create import TemplateCreate

_TAKEN = "Another session has this externalId. Give another one, or leave externalIdUnique out."


class PreviewedDocument(NamedTuple):
    """A document that can be created. `names` are those of its recipients by key."""

    title: str
    pdf: bytes
    page_count: int
    zones: tuple[Zone, ...]
    names: Mapping[str, str]


class BodyPreview(NamedTuple):
    """The issues of a body, with JSON pointers; without issues, its documents and warnings."""

    issues: tuple[RequestIssue, ...] = ()
    warnings: tuple[RequestIssue, ...] = ()
    documents: tuple[PreviewedDocument, ...] = ()


async def read_body(services: Services, caller: Caller, body: bytes, model: type[M]) -> M:
    """Returns the JSON `body` as `model`. Raises `InvalidRequest`, with the issues of its documents too."""
    try:
        return parse_json(body, model, services)
    except InvalidRequest as refused:
        raise await with_document_issues(services, caller, body, refused) from refused


async def preview_session(services: Services, caller: Caller, body: bytes) -> BodyPreview:
    """Previews the body of Create Session."""
    try:
        request = await read_body(services, caller, body, SessionCreate)
        _, rendered = await check_session(services, caller, request)
    except (InvalidRequest, DocumentValidationFailed, ExternalIdTaken) as refused:
        return BodyPreview(issues_in(refused))
    names = {recipient.key: recipient.name for recipient in request.recipients}
    documents = [
        PreviewedDocument(file.request.document.title, file.pdf, file.rendered.page_count, file.rendered.zones, names)
        for file in rendered.values()
    ]
    return BodyPreview(warnings=_advice(warnings_of(rendered, request)), documents=tuple(documents))


async def preview_template(services: Services, caller: Caller, body: bytes) -> BodyPreview:
    """Previews the body of Create Template, with sample values."""
    try:
        request = await read_body(services, caller, body, TemplateCreate)
        checked = await check_template(services, caller.organisation_id, request)
        template = build_template(caller, request, TemplateId(""))
        rendered = await render_sample(services, template)
    except (InvalidRequest, DocumentValidationFailed) as refused:
        return BodyPreview(issues_in(refused))
    shown = _document(request.document.title, rendered, sample_names(template))
    warnings = tuple(WarningRead.from_warning(warning, "/document") for warning in checked.warnings)
    return BodyPreview(warnings=_advice(warnings), documents=(shown,) if shown else ())


def issues_in(refused: InvalidRequest | DocumentValidationFailed | ExternalIdTaken) -> tuple[RequestIssue, ...]:
    """Returns the issues of an error, with JSON pointers into the body."""
    if isinstance(refused, ExternalIdTaken):
        return (RequestIssue("/externalId", _TAKEN),)
    if isinstance(refused, DocumentValidationFailed):
        return tuple(RequestIssue(filed.path, filed.issue.message) for filed in refused.issues)
    return refused.issues


def _document(title: str, rendered: RenderedDocument, names: Mapping[str, str]) -> PreviewedDocument | None:
    if rendered.pdf is None:
        return None
    return PreviewedDocument(title, rendered.pdf, rendered.page_count, rendered.zones, names)


def _advice(warnings: tuple[WarningRead, ...]) -> tuple[RequestIssue, ...]:
    return tuple(RequestIssue(warning.path, warning.message) for warning in warnings)
