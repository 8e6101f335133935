"""Random fonts and pictures that are accepted look the same in five readers, or the comparison of pages finds them."""

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from layout.pdf.compare_pages import find_disagreement
from tests.attacks import font_entries, fonts, pictures, readers  # noqa: F401  # `font_entries` registers its fonts
from tests.attacks.draft import new_draft
from tests.attacks.tricks import Trick

COUNT = int(os.environ.get("PARTS", "150"))
SEED = int(os.environ.get("SEED", "") or 1)

pytestmark = [pytest.mark.poppler, pytest.mark.ghostscript, pytest.mark.node]


@pytest.mark.parametrize("is_signed", [False, True], ids=["unsigned", "signed"])
@pytest.mark.parametrize(
    ("parts", "plain"), [(fonts.PROGRAMS, fonts.PLAIN), (pictures.PICTURES, pictures.PLAIN)], ids=["fonts", "pictures"]
)
def test_parts_look_the_same_to_all_readers(
    parts: Mapping[str, Trick], plain: str, is_signed: bool, tmp_path: Path
) -> None:
    changes = list(parts.items())
    accepted = list[str]()
    files = list[Path]()
    for number in range(COUNT):
        name, change = changes[number % len(changes)]
        draft = new_draft()
        draft.is_signed = is_signed
        change(draft, Random(f"{SEED} {number}"))  # noqa: S311  # it repeats
        upload = draft.write()
        try:
            pdf = validate_pdf(upload).rewritten or upload
        except PdfRefused:
            assert name != plain
            continue
        accepted.append(f"{number}: {name}")
        files.append(tmp_path / f"{number}.pdf")
        files[-1].write_bytes(pdf)
    drawn = readers.drawn_by_all(files)
    unseen = [
        f"{told}: {why}"
        for told, file, shown in zip(accepted, files, drawn, strict=True)
        if (why := readers.disagreement(shown)) and find_disagreement(file.read_bytes()) is None
    ]
    assert accepted
    assert not unseen, "\n".join(unseen)
