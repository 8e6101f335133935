"""Renders templates with sample values, for the app."""

from application.documents.preview import render_template
from application.documents.render_jobs import RenderedDocument, render_document
from application.errors import RequestIssue
from application.services import Services
from application.templates.substitute import filled_document
from application.uploads.session_copies import find_images, image_files
from domain.templates.template import Template
from domain.templates.variables import sample_values
from layout.schema.placeholders import fill


async def render_sample(services: Services, template: Template) -> RenderedDocument:
    """Renders a template with sample values; with its placeholders if these values do not fit.

    It has no PDF if one of its images was deleted.
    """
    issues: list[RequestIssue] = []
    document = filled_document(template, sample_values(template.variables), issues)
    if document is not None:
        images = await find_images(services, template.organisation_id, [document], "/document")
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
