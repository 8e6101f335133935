"""Random fonts that are accepted look the same in five readers, or the comparison of pages finds them."""

import os
from pathlib import Path
from random import Random

import pytest

from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from layout.pdf.compare_pages import find_disagreement
from tests.attacks import font_entries, readers  # noqa: F401  # it registers its fonts
from tests.attacks.draft import new_draft
from tests.attacks.fonts import PLAIN, PROGRAMS

COUNT = int(os.environ.get("FONTS", "150"))
SEED = int(os.environ.get("SEED", "") or 1)

pytestmark = [pytest.mark.poppler, pytest.mark.ghostscript, pytest.mark.node]


def test_fonts_look_the_same_to_all_readers(tmp_path: Path) -> None:
    programs = list(PROGRAMS.items())
    accepted = list[str]()
    files = list[Path]()
    for number in range(COUNT):
        name, change = programs[number % len(programs)]
        draft = new_draft()
        change(draft, Random(f"{SEED} {number}"))  # noqa: S311  # it repeats
        try:
            pdf = validate_pdf(draft.write()).rewritten
        except PdfRefused:
            assert name != PLAIN
            continue
        assert pdf
        accepted.append(f"{number}: {name}")
        files.append(tmp_path / f"{number}.pdf")
        files[-1].write_bytes(pdf)
    drawn = readers.drawn_by_all(files)
    unseen = [
        f"{told}: {why}"
        for told, file, pictures in zip(accepted, files, drawn, strict=True)
        if (why := readers.disagreement(pictures)) and find_disagreement(file.read_bytes()) is None
    ]
    assert accepted
    assert unseen == []
