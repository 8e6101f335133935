"""The words about templates, and about the organisation."""

from collections.abc import Mapping

from domain.session.recipients import RecipientVerification
from domain.templates.template import TemplateStatus
from domain.templates.variables import VariableType


class TemplateTexts:
    """The words in English. Braces are filled in."""

    template_states: Mapping[TemplateStatus, str] = {
        TemplateStatus.DRAFT: "Draft",
        TemplateStatus.ACTIVE: "Active",
        TemplateStatus.ARCHIVED: "Archived",
    }
    templates_found: str = "{count} templates"
    templates_found_one: str = "1 template"
    templates_empty: str = "No templates yet"
    templates_teach: str = (
        "A template is a document with variables, such as a lease with the tenant’s name left open. A program makes it "
        "through the API; you look at it here and activate it; then sessions are made from it with one call each."
    )
    templates_reference: str = "How to make a template: the API’s reference"
    all_templates: str = "All templates"
    column_template: str = "Template"
    column_variables: str = "Variables"
    with_variables: str = "with variables"
    without_variables: str = "none"
    people_count: str = "{count} recipients"
    people_count_one: str = "1 recipient"

    activate: str = "Activate"
    activate_note: str = "From then on programs can make sessions from it. It cannot be changed or taken back."
    template_draft_lead: str = "Look at the pages, then activate it."
    template_active_lead: str = "Programs can make sessions from it."
    template_archived_lead: str = "It is archived: no sessions can be made from it. A program can restore it."
    blank: str = "given with each session"
    variables: str = "Variables"
    no_variables: str = "It has none: each session made from it says the same."
    variable_types: Mapping[VariableType, str] = {
        VariableType.TEXT: "text",
        VariableType.DATE: "date",
        VariableType.NUMBER: "number",
    }
    variable_default: str = "otherwise “{value}”"
    sessions_expire: str = "Sessions are open for"
    sessions_remind: str = "Reminders"
    reminds: Mapping[bool, str] = {True: "yes", False: "no"}
    verification: str = "Opened by"
    verifications: Mapping[RecipientVerification, str] = {
        RecipientVerification.NONE: "the link in the mail",
        RecipientVerification.EMAIL_CODE: "the link, then a code by mail",
    }
    changed: str = "Changed"
    use_title: str = "Use it"
    use_lead: str = "A session is made from it with this call:"
    preview_title: str = "The pages"
    preview_lead: str = "As they are before variables have values. What each recipient fills in is marked in a colour."
    no_preview: str = "The pages cannot be laid out any more: an image may be gone. Make the template anew."

    people: str = "People"
    people_lead: str = "Who can sign in here. Whoever runs this service adds and disables people."
    people_disabled: str = "disabled"
    you: str = "you"
    receivers: str = "Callback receivers"
    receivers_fine: str = "None is paused: every callback is delivered, or tried again until it is."
    receivers_lead: str = "These have failed for three days and more. Nothing is sent there until they are resumed."
    receiver_since: str = "paused since"
    receiver_held: str = "{count} held"
    programs: str = "Programs"
    programs_lead: str = "Clients of the API. Whoever runs this service makes and revokes them."
    programs_none: str = "None yet."
    program_revoked: str = "revoked"

    def count_templates(self, count: int) -> str:
        return self.templates_found_one if count == 1 else self.templates_found.format(count=f"{count:,}")

    def count_people(self, count: int) -> str:
        return self.people_count_one if count == 1 else self.people_count.format(count=count)
