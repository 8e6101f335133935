"""Filling a template: the request that Create Session would have got, had somebody written the values into it.

Values go into the parsed document, text by text and in one pass, so that none can change anything but the text that it
stands in. What comes out is checked once more: a value may make a heading too long, or leave a paragraph empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from application.errors import DocumentValidationFailed, InvalidRequest, RequestIssue
from application.validation_issues import issues_of, pointer
from domain.templates.template import Template, TemplateRecipient
from layout.schema.block_document import FILLED, BlockDocument
from layout.schema.placeholders import Token, fill, tokens_in
from schemas.session_create import FileCreate, RecipientCreate, SessionCreate, SessionDefaults, SessionSettings
from schemas.session_from_template import RecipientGiven, SessionFromTemplate

MAX_FILLED = 2_000_000
"""Characters of all texts of a filled document: what the body of Create Session has room for."""

_NOWHERE = "/recipients"
"""Where a recipient of the template would stand in a request that does not mention it."""

_EMPTY_LINE = " "
"""What a paragraph holds whose variables all have no value: the one text that may well be optional as a whole."""

Issues = list[RequestIssue]
M = TypeVar("M", bound=BaseModel)


def session_of(template: Template, request: SessionFromTemplate, values: Mapping[str, str]) -> SessionCreate:
    """The session that `request` asks for, with the `values` of all variables in their places.

    Issues about the document point into the template, as Get Template answers with it; all others into the request.

    Raises:
        InvalidRequest: with everything that no session could have.
    """
    issues: Issues = []
    document = _filled_document(template, values, issues)
    recipients = _filled_recipients(template, request, values, issues)
    if issues or document is None:
        raise InvalidRequest(issues)
    settings = {name: getattr(template, name) for name in SessionDefaults.model_fields}
    given = {name: getattr(request, name) for name in SessionSettings.model_fields if name in request.model_fields_set}
    # Every member has been validated; what callbacks may be depends on the operator, whom a second time nobody asks.
    return SessionCreate.model_construct(
        name=request.name or template.name,
        files=(FileCreate(type="blocks", document=document),),
        recipients=tuple(recipients),
        **{**settings, **given},
    )


def _filled_document(template: Template, values: Mapping[str, str], issues: Issues) -> BlockDocument | None:
    document = BlockDocument.model_validate(template.document)
    tokens = {path: written for path, text in document.texts() if (written := tokens_in(text))}
    size = sum(len(text) for _, text in document.texts())
    size += sum(len(values[token.name]) - len(token.written) for written in tokens.values() for token in written)
    if size > MAX_FILLED:
        issues.append(RequestIssue("/variableValues", "With these values the document is too long. Give shorter ones."))
        return None
    filled = document.model_dump(mode="json", by_alias=True, exclude_unset=True)
    for path, text in document.texts():
        if path in tokens:
            _put(filled, path, fill(text, values))
    found: Issues = []
    made = _validated(BlockDocument, filled, found, FILLED)
    for issue in found:
        blame = _blame(tokens.get(issue.path, ()))
        issues.append(RequestIssue(f"/document{issue.path}", f"{issue.message}{blame}"))
    return made


def with_variables(template: Template, refused: DocumentValidationFailed) -> DocumentValidationFailed:
    """`refused`, of the filled document of `template`, with the variables in each text that is wrong."""
    texts = dict(BlockDocument.model_validate(template.document).texts())
    return DocumentValidationFailed(
        [
            filed._replace(issue=replace(filed.issue, message=filed.issue.message + blame))
            for filed in refused.issues
            for blame in [_blame(tokens_in(texts.get(filed.issue.path, "")))]
        ]
    )


def _blame(tokens: Sequence[Token]) -> str:
    """A sentence that names the values that fill a text; nothing where there are none."""
    places = dict.fromkeys(pointer(("variableValues", token.name)) for token in tokens)
    return f" Its values: {', '.join(places)}." if places else ""


def _put(document: dict[str, Any], path: str, text: str) -> None:
    """Has `text` stand where the JSON pointer `path` leads."""
    *steps, last = path.split("/")[1:]
    here: Any = document
    for step in steps:
        here = here[int(step)] if isinstance(here, list) else here[step]
    if isinstance(here, list):
        here[int(last)] = text
    else:
        here[last] = text or (_EMPTY_LINE if here.get("type") == "paragraph" else "")


def places_of(template: Template, request: SessionFromTemplate) -> tuple[str, ...]:
    """Where in `request` each recipient of the template stands, as a JSON pointer; one that it does not mention would
    stand in `/recipients`.
    """
    given = {key: place for place, key, _ in _given(template.recipients, request.recipients, [])}
    return tuple(given.get(recipient.key, _NOWHERE) for recipient in template.recipients)


def _filled_recipients(
    template: Template, request: SessionFromTemplate, values: Mapping[str, str], issues: Issues
) -> list[RecipientCreate]:
    given = {key: (place, own) for place, key, own in _given(template.recipients, request.recipients, issues)}
    filled: list[RecipientCreate] = []
    for recipient in template.recipients:
        place, own = given.get(recipient.key, (_NOWHERE, RecipientGiven()))
        members = {
            "key": recipient.key,
            "name": own.name or fill(recipient.name, values),
            "email": own.email or fill(recipient.email, values),
            "signingOrder": own.signing_order or recipient.signing_order,
        }
        found: Issues = []
        made = _validated(RecipientCreate, members, found)
        issues.extend(_open(issue, place, recipient.key, members) for issue in found)
        if made is not None:
            filled.append(made)
    return filled


def _open(issue: RequestIssue, place: str, key: str, members: Mapping[str, object]) -> RequestIssue:
    """What is still wrong with a recipient of the template."""
    member = issue.path.removeprefix("/")
    if not str(members[member]).strip():
        message = f"The template leaves the {member} of the recipient “{key}” blank. Give it in recipients."
    else:
        message = f"The {member} of the recipient “{key}”, with the variables filled: {issue.message}"
    return RequestIssue(place if place == _NOWHERE else f"{place}/{member}", message)


def _given(
    recipients: Sequence[TemplateRecipient], given: Sequence[RecipientGiven], issues: Issues
) -> Iterator[tuple[str, str, RecipientGiven]]:
    """What was given: where, about which key, and what."""
    keys = [recipient.key for recipient in recipients]
    seen: set[str] = set()
    for position, one in enumerate(given):
        place = f"{_NOWHERE}/{position}"
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


def _validated(
    model: type[M], members: dict[str, Any], issues: Issues, context: dict[str, bool] | None = None
) -> M | None:
    try:
        return model.model_validate(members, context=context)
    except ValidationError as error:
        issues.extend(issues_of(error.errors(include_url=False), members))
        return None
