"""The form of a new session: the inputs for a template, and the issues of the entries, each at its input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pydantic_core import to_json

from application.errors import RequestIssue
from application.templates.substitute import values_used
from domain.session.recipients import RecipientRole
from domain.shared.whole_numbers import read_whole_number
from domain.templates.template import Template, TemplateRecipient
from domain.templates.variables import Variable, VariableType
from layout.schema.placeholders import fill, tokens_in
from web.forms import PostedForm
from web.texts import APP

NO_REMINDERS = "off"

_LONG = 80
"""In characters. The input of a longer default value has several lines."""


class InputIssue(NamedTuple):
    """An issue, and the id of its input; empty if it has none."""

    input_id: str
    message: str


@dataclass(frozen=True, slots=True)
class ValueInput:
    """The input for a variable."""

    variable: Variable
    entered: str

    @property
    def input_id(self) -> str:
        return f"value-{self.variable.name}"

    @property
    def label(self) -> str:
        return self.variable.display_name or self.variable.name.replace("_", " ")

    @property
    def is_long(self) -> bool:
        default = self.variable.default_value or ""
        return self.variable.type is VariableType.TEXT and (len(default) > _LONG or "\n" in default)


@dataclass(frozen=True, slots=True)
class PersonInputs:
    """The inputs for a recipient.

    `filled_name` and `filled_email` show, with labels for variables, the text that the template uses for a blank input.
    """

    key: str
    name: str
    email: str
    order: str
    filled_name: str
    filled_email: str
    role: RecipientRole

    @staticmethod
    def of(recipient: TemplateRecipient, labels: Mapping[str, str]) -> "PersonInputs":
        """Returns the inputs for a recipient of a template. Inputs of members with variables are blank."""
        texts = (recipient.name, recipient.email)
        shown = ["" if tokens_in(text) else text for text in texts]
        filled = [fill(text, labels) if tokens_in(text) else "" for text in texts]
        order, role = str(recipient.signing_order), recipient.role
        return PersonInputs(recipient.key, shown[0], shown[1], order, filled[0], filled[1], role)

    @property
    def request(self) -> dict[str, Any]:
        """The entry in `recipients` of the request, without the blank inputs that the template fills in."""
        members: dict[str, Any] = {"key": self.key}
        if self.name or not self.filled_name:
            members["name"] = self.name
        if self.email or not self.filled_email:
            members["email"] = self.email
        if self.order:
            members["signingOrder"] = _number(self.order)
        return members


@dataclass(frozen=True, slots=True)
class SessionForm:
    """The inputs of a new session from `template`."""

    template: Template
    name: str
    message: str
    expiry_days: str
    reminders: str
    language: str
    values: tuple[ValueInput, ...]
    people: tuple[PersonInputs, ...]

    @staticmethod
    def of(template: Template) -> "SessionForm":
        """Returns the form with the defaults of `template`."""
        values = tuple(ValueInput(variable, variable.default_value or "") for variable in template.variables)
        labels = {value.variable.name: value.label for value in values}
        return SessionForm(
            template=template,
            name=template.name,
            message=template.message or "",
            expiry_days=str(template.expiry_days or ""),
            reminders=template.reminder_frequency.value if template.reminder_enabled else NO_REMINDERS,
            language=template.language or "",
            values=values,
            people=tuple(PersonInputs.of(recipient, labels) for recipient in template.recipients),
        )

    def entered(self, posted: PostedForm) -> "SessionForm":
        """Returns the form with the posted values."""

        def text(name: str) -> str:
            return posted.get(name, "").replace("\r\n", "\n").strip()

        return SessionForm(
            template=self.template,
            name=text("session-name"),
            message=text("message"),
            expiry_days=text("expiry-days"),
            reminders=text("reminders"),
            language=text("language"),
            values=tuple(ValueInput(value.variable, text(value.input_id)) for value in self.values),
            people=tuple(
                replace(
                    person,
                    name=text(f"name-{person.key}"),
                    email=text(f"email-{person.key}"),
                    order=text(f"order-{person.key}"),
                )
                for person in self.people
            ),
        )

    @property
    def body(self) -> bytes:
        """The body of Create Session From Template."""
        reminders = {} if self.reminders == NO_REMINDERS else {"reminderFrequency": self.reminders}
        return to_json(
            {
                "templateId": self.template.template_id,
                "name": self.name,
                "message": self.message or None,
                "language": self.language or None,
                "expiryDays": _number(self.expiry_days) if self.expiry_days else None,
                "reminderEnabled": bool(reminders),
                **reminders,
                "recipients": [person.request for person in self.people],
                "variableValues": self.entered_values,
            }
        )

    @property
    def entered_values(self) -> dict[str, str]:
        return {value.variable.name: value.entered for value in self.values}

    def issues(self, issues: Sequence[RequestIssue]) -> tuple[InputIssue, ...]:
        """Returns the issues of `body`, each with the id of its input and a message that suits the form."""
        return tuple(dict.fromkeys(self._issue(issue) for issue in issues))

    def _issue(self, issue: RequestIssue) -> InputIssue:
        _, first, *rest = [*issue.path.split("/"), "", ""]
        if first == "variableValues" and rest[0]:
            value = next(value for value in self.values if value.variable.name == rest[0])
            return InputIssue(value.input_id, _advice(value))
        if first == "recipients" and rest[0].isdigit():
            return self._issue_of_person(self.people[int(rest[0])], rest[1], issue.message)
        if first == "document":
            return self._issue_of_document(issue)
        inputs = {
            "name": "session-name",
            "message": "message",
            "expiryDays": "expiry-days",
            "reminderFrequency": "reminders",
            "language": "language",
        }
        message = APP.form_name_missing if first == "name" and not self.name else issue.message
        return InputIssue(inputs.get(first, ""), message)

    def _issue_of_person(self, person: PersonInputs, member: str, message: str) -> InputIssue:
        if member == "signingOrder":
            return InputIssue(f"order-{person.key}", message)
        if member == "email":
            missing = not person.email and not person.filled_email
            return InputIssue(f"email-{person.key}", APP.email_missing if missing else message)
        missing = not person.name and not person.filled_name
        return InputIssue(f"name-{person.key}", APP.form_full_name_missing if missing else message)

    def _issue_of_document(self, issue: RequestIssue) -> InputIssue:
        """Returns an issue of the document at the input of the first value in the text that has the issue."""
        message = issue.message.removesuffix(values_used(issue.values))
        return InputIssue(f"value-{issue.values[0]}" if issue.values else "", message)


def _number(text: str) -> int | str:
    """Returns the entered number; other text unchanged, which validation refuses."""
    number = read_whole_number(text)
    return text if number is None else number


def _advice(value: ValueInput) -> str:
    if not value.entered:
        return APP.value_missing.format(label=value.label)
    return APP.table("value_wrong")[value.variable.type]
