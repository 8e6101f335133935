"""Every kind of block and of input lies on its page and looks as it did when somebody looked at it. Spec: 2.7, 2.8.

On failure `build/layout-goldens` holds what was expected, what came out, and what differs. If the new look is right,
`python -m tests.layout.record_goldens` records it.
"""

from pathlib import Path
from typing import get_args

import pytest
from PIL import Image

from layout.document import Block, FieldType
from tests.layout.goldens import GOLDENS, boxes
from tests.layout.image_files import PICTURES
from tests.layout.kinds import KINDS, kind, pictures_of
from tests.layout.pictures import difference

BUILD = Path(__file__).parent.parent.parent / "build" / "layout-goldens"
FOLDER = GOLDENS / "kinds"


@pytest.mark.parametrize("name", KINDS)
def test_the_boxes_are_where_they_were(name: str) -> None:
    actual = boxes(kind(name), PICTURES)
    expected = (FOLDER / f"{name}.txt").read_text("utf-8")
    if actual != expected:
        BUILD.mkdir(parents=True, exist_ok=True)
        (BUILD / f"{name}-actual.txt").write_text(actual, "utf-8")
    assert actual == expected


@pytest.mark.parametrize("name", KINDS)
def test_the_pages_look_as_they_did(name: str) -> None:
    drawn = pictures_of(name)
    kept = sorted(FOLDER.glob(f"{name}-[0-9].png"))
    assert len(drawn) == len(kept)
    for path, page in zip(kept, drawn, strict=True):
        expected = Image.open(path).convert("RGB")
        differing = difference(expected, page)
        if differing is not None:
            BUILD.mkdir(parents=True, exist_ok=True)
            for part, picture in (("expected", expected), ("actual", page), ("diff", differing)):
                picture.save(BUILD / f"{path.stem}-{part}.png")
        assert differing is None, f"{path.name}: see {BUILD}"


def test_every_type_of_block_and_input_has_its_golden() -> None:
    blocks = {one.model_fields["type"].annotation.__args__[0] for one in get_args(get_args(Block)[0])}
    assert {*blocks, *get_args(FieldType)} - {"field"} == set(KINDS) - {"checkbox-group", "right-to-left"}
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(KINDS)
