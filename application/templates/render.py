"""Templates as pages, before their variables have values."""

from application.documents.render_jobs import Typeset, typeset
from application.services import Services
from application.uploads.images.session_images import files_by_id, find_images, images_of
from domain.templates.template import Template
from layout.schema.block_document import BlockDocument


async def lay_out(services: Services, template: Template) -> Typeset:
    """The pages and zones of `template`. There is no PDF when it can be laid out no more: an image is gone."""
    document = BlockDocument.model_validate(template.document)
    images = images_of(document, await find_images(services, template.organisation_id, [document], "/document"))
    keys = [recipient.key for recipient in template.recipients]
    variables = [variable.name for variable in template.variables]
    return await services.pool.run(typeset, document, keys, files_by_id(images), variables)
