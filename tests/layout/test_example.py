"""`examples/all-blocks.json` shows all there is, and nothing is wrong with it. Specification 2.7, 2.8."""

import json
from typing import get_args

from PIL import Image

from layout.engine import render
from layout.schema.block_document import Block, BlockDocument
from layout.schema.image_file import ImageFile
from layout.schema.input import FieldType
from tests import ROOT

EXAMPLES = ROOT / "examples"
WRITTEN = json.loads((EXAMPLES / "all-blocks.json").read_text("utf-8"))
DOCUMENT = BlockDocument.model_validate(WRITTEN)


def picture(name: str) -> ImageFile:
    path = EXAMPLES / f"all-blocks-{name}.png"
    with Image.open(path) as opened:
        return ImageFile(path.read_bytes(), *opened.size, path.name)


def test_the_example_has_every_type_of_block_and_input() -> None:
    types = {one.model_fields["type"].annotation.__args__[0] for one in get_args(get_args(Block)[0])}
    assert {block.type for block in DOCUMENT.blocks} == types
    assert {field.field_type for _, field in DOCUMENT.inputs()} == set(get_args(FieldType))


def test_the_example_is_laid_out_on_three_pages_without_an_issue() -> None:
    images = {name: picture(name) for name in ("plan", "logo")}
    rendered = render(DOCUMENT, {"stallholder", "market"}, images)
    assert rendered.issues == ()
    assert rendered.warnings == ()
    assert rendered.page_count == 3
    assert rendered.pdf is not None
