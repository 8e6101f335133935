"""Previews documents, JSON bodies of sessions and templates, and templates with sample values. Nothing is stored.

The preview of a document is in Specification 4.17. The app previews JSON bodies and templates.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from application.caller import Caller
from application.documents.collect_issues import (
    misplaced_placeholders,
    signer_keys,
    with_document_issues,
    with_role_issues,
)
from application.documents.default_language import in_default_language
from application.documents.render_jobs import RenderedDocument, render_document, undrawable_names
from application.errors import DocumentValidationFailed, InvalidRequest, RequestIssue
from application.off_loop import off_loop
from application.parse_json import M, parse_json
from application.schemas.errors import DocumentIssueRead, FiledIssue
from application.schemas.previews import AnyPreview, PreviewRead, TemplatePreview, WarningRead, ZoneRead
from application.schemas.session_create import SessionCreate
from application.schemas.template_create import TemplateCreate
from application.services import Services
from application.sessions.create import check_session, warnings_of
from application.templates.substitute import MAX_FILLED, filled_document
from application.templates.templates import build_template, check_template
from application.uploads.session_copies import find_images, image_files
from domain.ports.process_pool import lower_priority
from domain.session.labels import ExternalIdTaken
from domain.shared.ids import TemplateId
from domain.templates.template import Template
from domain.templates.variables import sample_values
from domain.texts.code_points import named
from layout.schema.block_document import BlockDocument
from layout.schema.issues import DocumentWarning, WarningKind
from layout.schema.placeholders import fill
from layout.zone import Zone

_DOCUMENT = "/document"


async def preview(services: Services, caller: Caller, request: AnyPreview) -> tuple[PreviewRead, bytes | None]:
    """Returns the page count, zones, issues and warnings of the document, and its PDF if there are no issues.

    Raises `InvalidRequest` if the images are too large together.
    """
    result = await _lay_out(services, caller, request)
    names = [recipient.name or "" for recipient in request.recipients]
    unprintable = enumerate(await services.pool.run(undrawable_names, names))
    of_texts = (_unprintable(path, characters) for path, characters in result.undrawable)
    of_names = (
        _unprintable(f"/recipients/{number}/name", characters) for number, characters in unprintable if characters
    )
    shown = PreviewRead(
        page_count=result.page_count,
        issues=tuple(DocumentIssueRead.from_issue(filed) for filed in _filed(result, request)),
        warnings=(
            *(WarningRead.from_warning(warning, _DOCUMENT) for warning in (*result.warnings, *of_texts)),
            *(WarningRead.from_warning(warning, "") for warning in of_names),
        ),
        zones=tuple(ZoneRead.from_zone(zone, _DOCUMENT) for zone in result.zones),
    )
    return shown, None if shown.issues else result.pdf


async def print_preview(services: Services, caller: Caller, request: AnyPreview) -> bytes:
    """Returns the document as a PDF. Raises the errors of `preview`, or `DocumentValidationFailed`."""
    result = await _lay_out(services, caller, request)
    issues = _filed(result, request)
    if issues or result.pdf is None:
        raise DocumentValidationFailed(issues)
    return result.pdf


async def _lay_out(services: Services, caller: Caller, request: AnyPreview) -> RenderedDocument:
    lower_priority()
    recipients = request.recipients
    document = await in_default_language(services, caller.organisation_id, request.document)
    images = await find_images(services, caller.organisation_id, [document], _DOCUMENT)
    keys, files = signer_keys(recipients), image_files(document, images)
    result = await services.pool.run(render_document, document, keys, files, _variables(request))
    return with_role_issues(result, document, recipients)


def _variables(request: AnyPreview) -> Collection[str] | None:
    return [variable.name for variable in request.variables] if isinstance(request, TemplatePreview) else None


def _filed(result: RenderedDocument, request: AnyPreview) -> list[FiledIssue]:
    issues = [FiledIssue(0, f"{_DOCUMENT}{issue.path}", issue) for issue in result.issues]
    return [*issues, *misplaced_placeholders(request.recipients, _variables(request))]


def _unprintable(path: str, characters: str) -> DocumentWarning:
    message = f"Replace these characters, which cannot be printed and which no session takes: {named(characters)}."
    return DocumentWarning(WarningKind.UNPRINTABLE_CHARACTERS, message, path)


async def render_template(services: Services, template: Template) -> RenderedDocument:
    """Renders a template with its placeholders. It has no PDF if one of its images was deleted."""
    lower_priority()
    written = BlockDocument.model_validate(template.document)
    document = await in_default_language(services, template.organisation_id, written, template.language)
    images = await find_images(services, template.organisation_id, [document], _DOCUMENT)
    keys = [recipient.key for recipient in template.recipients]
    variables = [variable.name for variable in template.variables]
    return await services.pool.run(render_document, document, keys, image_files(document, images), variables)


async def render_sample(services: Services, template: Template) -> RenderedDocument:
    """Renders a template with sample values; with its placeholders if these values do not fit.

    It has no PDF if one of its images was deleted.
    """
    lower_priority()
    issues: list[RequestIssue] = []
    values = sample_values(template.variables)
    filled = await off_loop(MAX_FILLED, lambda: filled_document(template, values, issues))
    if filled is not None:
        document = await in_default_language(services, template.organisation_id, filled, template.language)
        images = await find_images(services, template.organisation_id, [document], _DOCUMENT)
        keys = [recipient.key for recipient in template.recipients]
        files = image_files(document, images)
        rendered = await services.pool.run(render_document, document, keys, files, None, True)
        if rendered.pdf is not None:
            return rendered
    return await render_template(services, template)


def sample_names(template: Template) -> dict[str, str]:
    """Returns the names of recipients by key, with sample values; the key of a recipient without a name."""
    values = sample_values(template.variables)
    return {recipient.key: fill(recipient.name, values) or recipient.key for recipient in template.recipients}


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
        return await parse_json(body, model, services)
    except InvalidRequest as refused:
        raise await with_document_issues(services, caller, body, refused) from refused


async def preview_session(services: Services, caller: Caller, body: bytes) -> BodyPreview:
    """Previews the body of Create Session."""
    lower_priority()
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
    lower_priority()
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
