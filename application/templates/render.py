"""Templates as pages, before their variables have values."""

from application.documents.render_jobs import RenderedDocument, render_document
from application.services import Services
from application.uploads.session_copies import find_images, image_files
from domain.templates.template import Template
from layout.schema.block_document import BlockDocument


async def render_template(services: Services, template: Template) -> RenderedDocument:
    """The pages and zones of `template`. There is no PDF when it can be laid out no more: an image is gone."""
    document = BlockDocument.model_validate(template.document)
    images = await find_images(services, template.organisation_id, [document], "/document")
    keys = [recipient.key for recipient in template.recipients]
    variables = [variable.name for variable in template.variables]
    return await services.pool.run(render_document, document, keys, image_files(document, images), variables)
