"""The operations on templates."""

from collections.abc import Sequence
from typing import TypedDict, Unpack

from undersign.models import DeletedTemplate, TemplateRead, TemplatesRead
from undersign.operation import (
    JSON,
    Body,
    Method,
    Operation,
    as_json,
    at,
    delete,
    get,
    post,
    post_once,
    query_of,
    reader,
)


class TemplateFilters(TypedDict, total=False):
    """Templates in one of these statuses; by default active ones."""

    status: str | Sequence[str]


class TemplateOperations:
    """The operations on templates."""

    @Method
    @staticmethod
    def create_template(template: Body, *, idempotency_key: str | None = None) -> Operation[TemplateRead]:
        """Creates a template, as a draft or active at once."""
        return post_once("createTemplate", at("/Template"), TemplateRead, idempotency_key, template)

    @Method
    @staticmethod
    def get_template(template_id: str) -> Operation[TemplateRead]:
        """Returns the template."""
        return get("getTemplate", at("/Template/{}", template_id), TemplateRead)

    @Method
    @staticmethod
    def get_next_version(template_id: str) -> Operation[TemplateRead]:
        """Returns the next version of a template, which is not activated yet."""
        return get("getNextVersion", at("/Template/{}/NextVersion", template_id), TemplateRead)

    @Method
    @staticmethod
    def save_next_version(template_id: str, template: Body) -> Operation[TemplateRead]:
        """Saves the next version of a template: its whole content."""
        path, body = at("/Template/{}/NextVersion", template_id), as_json(template)
        return Operation("saveNextVersion", "PUT", path, reader(TemplateRead), body=body, headers=JSON)

    @Method
    @staticmethod
    def delete_next_version(template_id: str) -> Operation[TemplateRead]:
        """Deletes the next version of a template, and returns the template."""
        return delete("deleteNextVersion", at("/Template/{}/NextVersion", template_id), TemplateRead)

    @Method
    @staticmethod
    def duplicate_template(template_id: str, *, idempotency_key: str | None = None) -> Operation[TemplateRead]:
        """Creates a draft with the content of a template."""
        return post_once("duplicateTemplate", at("/Template/{}/Duplicate", template_id), TemplateRead, idempotency_key)

    @Method
    @staticmethod
    def activate_template(template_id: str) -> Operation[TemplateRead]:
        """Activates a draft, so that sessions can be created from it, or the next version of an active template."""
        return post("activateTemplate", at("/Template/{}/Activate", template_id), TemplateRead)

    @Method
    @staticmethod
    def update_template(template_id: str, name: str) -> Operation[TemplateRead]:
        """Renames a template."""
        path, body = at("/Template/{}", template_id), as_json({"name": name})
        return Operation("updateTemplate", "PATCH", path, reader(TemplateRead), body=body, headers=JSON)

    @Method
    @staticmethod
    def delete_template(template_id: str, *, permanent: bool = False) -> Operation[DeletedTemplate]:
        """Archives a template, or deletes it permanently."""
        return delete("deleteTemplate", at("/Template/{}", template_id), DeletedTemplate, permanent=permanent)

    @Method
    @staticmethod
    def restore_template(template_id: str) -> Operation[TemplateRead]:
        """Restores an archived template to its previous status."""
        return post("restoreTemplate", at("/Template/{}/Restore", template_id), TemplateRead)

    @Method
    @staticmethod
    def list_templates(
        *, limit: int = 50, offset: int = 0, **filters: Unpack[TemplateFilters]
    ) -> Operation[TemplatesRead]:
        """Returns a page of the templates that match `filters`, by default active ones; the last changed come first."""
        return get("listTemplates", at("/Templates"), TemplatesRead, query_of(filters, limit, offset))
