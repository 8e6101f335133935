"""Previews a document: checks it and lays it out without storing it (Specification 4.17)."""

from collections.abc import Collection

from application.caller import Caller
from application.documents.collect_issues import misplaced_placeholders
from application.documents.recipient_roles import signer_keys, with_role_issues
from application.documents.render_jobs import RenderedDocument, render_document, undrawable_names
from application.errors import DocumentValidationFailed
from application.services import Services
from application.uploads.session_copies import find_images, image_files
from domain.templates.template import Template
from layout.schema.block_document import BlockDocument
from layout.schema.issues import DocumentWarning, WarningKind
from schemas.errors import DocumentIssueRead, FiledIssue
from schemas.previews import AnyPreview, PreviewRead, TemplatePreview, WarningRead, ZoneRead

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
    document, recipients = request.document, request.recipients
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
    message = f"Replace these characters, which cannot be printed and which no session takes: {' '.join(characters)}"
    return DocumentWarning(WarningKind.UNPRINTABLE_CHARACTERS, message, path)


async def render_template(services: Services, template: Template) -> RenderedDocument:
    """Renders a template with its placeholders. It has no PDF if one of its images was deleted."""
    document = BlockDocument.model_validate(template.document)
    images = await find_images(services, template.organisation_id, [document], "/document")
    keys = [recipient.key for recipient in template.recipients]
    variables = [variable.name for variable in template.variables]
    return await services.pool.run(render_document, document, keys, image_files(document, images), variables)
