"""Substitutes variables in a template. The result is the request of Create Session.

Each value is inserted into the texts of the parsed document, so it cannot change the structure. The result is validated
again: a value may make a heading too long, or leave a paragraph empty.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel

from application.errors import DocumentValidationFailed, InvalidRequest, RequestIssue
from application.schemas.session_create import FileCreate, RecipientCreate, SessionCreate, SessionSettings
from application.schemas.session_from_template import RecipientGiven, SessionFromTemplate
from application.validation_issues import issues_of, pointer
from domain.session.settings import TemplateSettings
from domain.shared.frozen_model import members_of
from domain.templates.template import Template, TemplateRecipient
from layout.schema.block_document import BlockDocument
from layout.schema.part import FILLED
from layout.schema.placeholders import fill, tokens_in

MAX_FILLED = 2_000_000
"""Maximum characters of all texts of a filled document, as in the body of Create Session."""

_NOT_GIVEN = "/recipients"
"""The JSON pointer of a recipient of the template that the request does not mention."""

_EMPTY_LINE = " "
"""The text of a paragraph in which all variables are empty."""

Issues = list[RequestIssue]
M = TypeVar("M", bound=BaseModel)


def session_of(template: Template, request: SessionFromTemplate, values: Mapping[str, str]) -> SessionCreate:
    """Returns the request of the session, with the `values` of all variables.

    Raises `InvalidRequest` with all issues. Those about the document point into the template, all others into the
    request.
    """
    issues: Issues = []
    document = filled_document(template, values, issues)
    recipients = _filled_recipients(template, request, values, issues)
    if issues or document is None:
        raise InvalidRequest(issues)
    settings = members_of(TemplateSettings, template)
    given = {name: getattr(request, name) for name in SessionSettings.model_fields if name in request.model_fields_set}
    # all members are validated; the rules of callback URLs depend on settings that are unknown here
    return SessionCreate.model_construct(
        name=request.name or template.name,
        files=(FileCreate(type="blocks", document=document),),
        recipients=tuple(recipients),
        **{**settings, **given},
    )


def filled_document(template: Template, values: Mapping[str, str], issues: Issues) -> BlockDocument | None:
    """Returns the document of `template` with the `values` of all variables; None with issues, which it appends."""
    document = BlockDocument.model_validate(template.document)
    tokens = {path: inside for path, text in document.texts() if (inside := tokens_in(text))}
    size = sum(len(text) for _, text in document.texts())
    size += sum(len(values[token.name]) - len(token.written) for inside in tokens.values() for token in inside)
    if size > MAX_FILLED:
        issues.append(RequestIssue("/variableValues", "With these values the document is too long. Give shorter ones."))
        return None
    filled = document.model_dump(mode="json", by_alias=True, exclude_unset=True)
    for path, text in document.texts():
        if path in tokens:
            _put(filled, path, fill(text, values))
    validated, wrong = _validate(BlockDocument, filled, FILLED)
    for issue in wrong:
        held = (inside for path, inside in tokens.items() if f"{path}/".startswith(f"{issue.path}/"))
        names = tuple(dict.fromkeys(token.name for inside in held for token in inside))
        issues.append(RequestIssue(f"/document{issue.path}", issue.message + values_used(names), values=names))
    return validated


def with_variables(template: Template, refused: DocumentValidationFailed) -> DocumentValidationFailed:
    """Returns `refused`, the error of a filled document, with the values in each invalid text named."""
    texts = dict(BlockDocument.model_validate(template.document).texts())
    issues = []
    for filed in refused.issues:
        names = tuple(dict.fromkeys(token.name for token in tokens_in(texts.get(filed.issue.path, ""))))
        message = filed.issue.message + values_used(names)
        issues.append(filed._replace(issue=replace(filed.issue, message=message)))
    return DocumentValidationFailed(issues)


def values_used(names: Sequence[str]) -> str:
    """Returns a sentence that names the values of these variables in a text; empty without any."""
    places = [pointer(("variableValues", name)) for name in names]
    return f" Its values: {', '.join(places)}." if places else ""


def parent_of(document: Any, path: str) -> tuple[Any, str]:  # noqa: ANN401  # any JSON
    """Returns the list or object that holds the value at the JSON pointer `path`, and the last step of the pointer."""
    *steps, last = path.split("/")[1:]
    for step in steps:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document, last


def _put(document: dict[str, Any], path: str, text: str) -> None:
    parent, last = parent_of(document, path)
    if isinstance(parent, list):
        parent[int(last)] = text
    else:
        parent[last] = text or (_EMPTY_LINE if parent.get("type") == "paragraph" else "")


def places_of(template: Template, request: SessionFromTemplate) -> tuple[str, ...]:
    """Returns the JSON pointer in `request` of each recipient of the template; `/recipients` if it is not mentioned."""
    given = {key: place for place, key, _ in _given(template.recipients, request.recipients, [])}
    return tuple(given.get(recipient.key, _NOT_GIVEN) for recipient in template.recipients)


def _filled_recipients(
    template: Template, request: SessionFromTemplate, values: Mapping[str, str], issues: Issues
) -> list[RecipientCreate]:
    given = {key: (place, own) for place, key, own in _given(template.recipients, request.recipients, issues)}
    filled: list[RecipientCreate] = []
    for recipient in template.recipients:
        place, own = given.get(recipient.key, (_NOT_GIVEN, RecipientGiven()))
        filled_in = {"name": fill(recipient.name, values), "email": fill(recipient.email, values)}
        chosen = {name: value for name, value in dict(own).items() if value}
        members = {to_camel(name): value for name, value in {**dict(recipient), **filled_in, **chosen}.items()}
        validated, wrong = _validate(RecipientCreate, members)
        issues.extend(_recipient_issue(issue, place, recipient.key, members) for issue in wrong)
        if validated is not None:
            filled.append(validated)
    return filled


def _recipient_issue(issue: RequestIssue, place: str, key: str, members: Mapping[str, object]) -> RequestIssue:
    member = issue.path.removeprefix("/")
    if not str(members[member]).strip():
        message = f"The template leaves the {member} of the recipient “{key}” blank. Give it in recipients."
    else:
        message = f"The {member} of the recipient “{key}”, with the variables filled: {issue.message}"
    return RequestIssue(place if place == _NOT_GIVEN else f"{place}/{member}", message)


def _given(
    recipients: Sequence[TemplateRecipient], given: Sequence[RecipientGiven], issues: Issues
) -> Iterator[tuple[str, str, RecipientGiven]]:
    """Yields the given recipients, each with its JSON pointer and key."""
    keys = [recipient.key for recipient in recipients]
    seen: set[str] = set()
    for position, one in enumerate(given):
        place = f"{_NOT_GIVEN}/{position}"
        key = one.key or (keys[position] if position < len(keys) else None)
        if key is None:
            message = f"The template has no recipient at this place: it has {len(keys)}. Leave this one out."
            issues.append(RequestIssue(place, message))
        elif key not in keys:
            message = f"The template has no recipient with the key “{key}”. It has: {', '.join(keys)}."
            issues.append(RequestIssue(f"{place}/key", message))
        elif key in seen:
            message = f"This is the recipient “{key}” again. Give everything about one recipient in one place."
            issues.append(RequestIssue(place, message))
        else:
            seen.add(key)
            yield place, key, one


def _validate(
    model: type[M], members: dict[str, Any], context: dict[str, bool] | None = None
) -> tuple[M | None, Iterable[RequestIssue]]:
    try:
        return model.model_validate(members, context=context), ()
    except ValidationError as error:
        return None, issues_of(error.errors(include_url=False), members)
