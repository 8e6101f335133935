"""Filling a template: whatever the values are, nothing but the texts with tokens changes. Specification 2.11."""

from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from application.errors import InvalidRequest
from application.schemas.session_from_template import SessionFromTemplate
from application.templates.substitute import session_of
from domain.templates.template import Template
from domain.templates.variables import Variable
from layout.schema.block_document import BlockDocument
from tests.builders import template

FIELD = {"fieldType": "text", "recipient": "tenant"}
EVERYWHERE: dict[str, Any] = {
    "format": "blocks",
    "title": "t {{{x}}}",
    "subtitle": "{{{x}}} {{{y}}}",
    "footerLabel": "{{{ x }}}",
    "theme": {"primaryColor": "#0f6a73"},
    "blocks": [
        {"type": "heading", "text": "{{{x}}}{{{x}}}."},
        {"type": "paragraph", "text": '{"text": "{{{x}}}"}', "bold": True},
        {
            "type": "bulletList",
            "items": ["{{{x}}}!", "plain", "{{{y}}}, {{{x}}}", [{"text": "{{{x}}}", "bold": True}, {"text": "."}]],
        },
        {"type": "spacer", "height": 12},
        {"type": "pageBreak", "header": {"title": "{{{{y}}}}", "subtitle": "{{{x}}}"}},
        {"type": "pageBreak", "header": None},
        {"type": "pageBreak"},
        {"type": "field", "label": "1 {{{x}}}", "placeholder": "{{{y}}}", "name": "one", **FIELD},
        {"type": "field", "label": "2 {{{x}}}", "options": ["a {{{x}}}", "b {{{y}}}"], **FIELD, "fieldType": "radio"},
        {"type": "fieldRow", "fields": [{"label": "3 {{{y}}}", **FIELD}, {"label": "4", "required": False, **FIELD}]},
        {"type": "signatureBlock", "label": "For {{{x}}}", "recipient": "tenant"},
        {"type": "paragraph", "text": [{"text": "{{{x}}}", "italic": True}, {"text": "{{{y}}}"}]},
    ],
}
"""A token in every kind of text."""

ODD = st.text(st.sampled_from('{}"\\,[]:x \n<>&$'), max_size=40)
VALUES = st.fixed_dictionaries({name: ODD | st.text(max_size=40) for name in ("x", "y")})


def made(document: dict[str, Any]) -> Template:
    recipients = ({"key": "tenant", "name": "Ada", "email": "ada@example.com", "signing_order": 1},)
    return template(
        "Lease", document=document, recipients=recipients, variables=(Variable(name="x"), Variable(name="y"))
    )


def filled(values: dict[str, str]) -> BlockDocument:
    (file,) = session_of(made(EVERYWHERE), SessionFromTemplate(templateId="x"), values).files
    return file.document


def without_texts(document: BlockDocument) -> Any:
    """The document with each of its texts made the same."""

    def blank(here: Any, steps: list[str]) -> Any:
        if not steps:
            return "x"
        step, *rest = steps
        if isinstance(here, list):
            return [blank(one, rest) if at == int(step) else one for at, one in enumerate(here)]
        return {**here, step: blank(here[step], rest)}

    dumped: Any = document.model_dump(mode="json", by_alias=True, exclude_unset=True)
    for path, _ in document.texts():
        dumped = blank(dumped, path.split("/")[1:])
    return dumped


@given(VALUES)
def test_no_value_changes_the_structure_of_the_document(values: dict[str, str]) -> None:
    with suppress(InvalidRequest):
        document = filled(values)
        assert without_texts(document) == without_texts(BlockDocument.model_validate(EVERYWHERE))


@given(VALUES)
def test_a_value_stands_in_every_text_as_it_was_given(values: dict[str, str]) -> None:
    x, y = (f".{value}" for value in (values["x"], values["y"]))  # with a point, so that none is blank
    texts = dict(filled({"x": x, "y": y}).texts())

    assert texts == {
        "/title": f"t {x}", "/subtitle": f"{x} {y}", "/footerLabel": x, "/blocks/0/text": f"{x}{x}.",
        "/blocks/1/text": f'{{"text": "{x}"}}', "/blocks/2/items/0": f"{x}!", "/blocks/2/items/1": "plain",
        "/blocks/2/items/2": f"{y}, {x}", "/blocks/4/header/title": f"{{{y}}}", "/blocks/4/header/subtitle": x,
        "/blocks/7/label": f"1 {x}", "/blocks/7/placeholder": y, "/blocks/8/label": f"2 {x}",
        "/blocks/8/options/0": f"a {x}", "/blocks/8/options/1": f"b {y}", "/blocks/9/fields/0/label": f"3 {y}",
        "/blocks/9/fields/1/label": "4", "/blocks/10/label": f"For {x}",
        "/blocks/2/items/3/0/text": x, "/blocks/2/items/3/1/text": ".", "/blocks/11/text/0/text": x,
        "/blocks/11/text/1/text": y,
    }  # fmt: skip
