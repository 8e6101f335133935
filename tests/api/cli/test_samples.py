"""The example that everybody tries first is a good one."""

import json

from api.cli.demo_signature import draw_signature
from api.cli.samples import Sample
from api.pages.drawing import read_drawing
from api.v1.schemas.session_create import SessionCreate
from layout.document import InputField
from layout.engine import render

REQUEST = SessionCreate.model_validate_json(Sample.AGREEMENT.request.read_bytes())
DOCUMENT = REQUEST.files[0].document


def test_the_example_is_laid_out_without_an_issue_on_three_pages() -> None:
    rendered = render(DOCUMENT, [recipient.key for recipient in REQUEST.recipients])

    assert rendered.issues == ()
    assert rendered.page_count == 3


def test_every_field_of_the_example_has_an_answer() -> None:
    answers = json.loads(Sample.AGREEMENT.answers.read_bytes())

    fields = [block for block in DOCUMENT.blocks if isinstance(block, InputField)]

    assert {(field.recipient, field.name) for field in fields} == {
        (key, name) for key, values in answers.items() for name in values
    }


def test_the_drawn_signature_is_one_that_the_signing_page_accepts() -> None:
    ink = read_drawing(draw_signature())

    assert ink is not None
    assert ink.startswith(b"\x89PNG")
