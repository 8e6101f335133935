"""The example sessions are complete and free of issues."""

import json

import pytest

from application.schemas.session_create import SessionCreate
from cli.demo.command import drawn_signature
from cli.demo.examples import Example
from domain.session.fields import FieldKind
from layout.engine import render
from web.signing.sanitize_signature_image import sanitize_signature_image


def request_of(example: Example) -> SessionCreate:
    return SessionCreate.model_validate_json(example.request.read_bytes())


@pytest.mark.parametrize(("example", "pages"), [(Example.AGREEMENT, 3), (Example.NEW_STARTER, 2)])
def test_every_example_is_laid_out_without_an_issue(example: Example, pages: int) -> None:
    request = request_of(example)

    rendered = render(request.files[0].document, [recipient.key for recipient in request.recipients])

    assert rendered.issues == ()
    assert rendered.page_count == pages


@pytest.mark.parametrize("example", Example)
def test_every_field_of_an_example_has_an_answer(example: Example) -> None:
    answers = json.loads(example.answers.read_bytes())

    fields = [field for _, field in request_of(example).files[0].document.inputs()]

    assert {(field.recipient, field.name) for field in fields} == {
        (key, name) for key, values in answers.items() for name in values
    }


def test_one_example_has_inputs_of_every_type() -> None:
    fields = [field for _, field in request_of(Example.NEW_STARTER).files[0].document.inputs()]
    assert {field.field_type for field in fields} == set(FieldKind)


def test_the_drawn_signature_is_one_that_the_signing_page_accepts() -> None:
    ink = sanitize_signature_image(drawn_signature())
    assert ink is not None
    assert ink.startswith(b"\x89PNG")
