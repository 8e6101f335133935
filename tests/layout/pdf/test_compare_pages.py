"""Two renderers agree on honest pages; they disagree on made differences, and on what only one of them can draw."""

from io import BytesIO

import pikepdf
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from adapters.processes.job_limits import UNTRUSTED_FILES
from adapters.processes.pool import ForkServerPool
from application.uploads.validate_pdf import validate_pdf
from layout.pdf.compare_pages import Disagreement, compare_page, find_disagreement, first_difference, page_count
from layout.pdf.draw_page_images import NotDrawable
from layout.pdf.pdfium_file import open_pdfium
from layout.pdf.pymupdf_file import open_mupdf
from tests.application.uploads import pdfs
from tests.foreign_pdfs.pdf_builder import file
from tests.layout.documents import paragraph, rendered_pdf
from tests.layout.goldens import sent, signed
from tests.layout.looks import LOOKS, pdf_of
from tests.layout.pdf.made_differences import CHANGES, FONTS, Colour, Drawing, Look, written
from tests.layout.scripts import SCRIPTS, signed_in

HELLO = rendered_pdf(paragraph("Hello, EUR 48,000"))


def _colours(least: float, most: float) -> st.SearchStrategy[Colour]:
    return st.tuples(*[st.floats(least, most)] * 3)


_LOOKS = st.builds(
    Look,
    font=st.sampled_from(FONTS),
    size=st.sampled_from([9, 10, 11, 12, 18]),
    ink=_colours(0, 0.3),
    paper=_colours(0.8, 1),
    left=st.floats(30, 33),
    base=st.floats(55, 57),
)
_PALE = st.builds(Look, font=st.sampled_from(FONTS), ink=st.floats(0.6, 0.9).map(lambda shade: (shade,) * 3))
_DARK = st.builds(Look, font=st.sampled_from(FONTS), ink=st.just((1.0,) * 3), paper=_colours(0, 0.4))


def _compare(one: bytes, other: bytes) -> Disagreement | None:
    """Compares the first page of `one` in MuPDF with that of `other` in PDFium."""
    with open_mupdf(one) as mupdf, open_pdfium(other) as pdfium:
        return compare_page((mupdf, pdfium), 1)


@settings(max_examples=15, deadline=None)
@example(look=Look(size=12, ink=(0.89, 0.89, 0.89)), change="a line less")
@given(look=_LOOKS | _PALE | _DARK, change=st.sampled_from(sorted(CHANGES)))
def test_a_visible_difference_is_a_disagreement(look: Look, change: str) -> None:
    page = written(Drawing(), look)
    changed = written(CHANGES[change](Drawing(), look), look)
    assert _compare(page, page) is None
    assert _compare(page, changed) is not None, change
    assert _compare(changed, page) is not None, change


def test_the_picture_of_a_disagreement_has_both_pages_and_a_frame() -> None:
    found = _compare(written(Drawing(), Look()), written(Drawing(amount="EUR 4,800,000 is due"), Look()))
    assert found is not None
    assert found.picture is not None
    with Image.open(BytesIO(found.picture)) as picture:
        assert picture.size == (2 * 600 + 8, 240)
        assert (220, 0, 0) in {colour for _, colour in picture.getcolors(1 << 24) or ()}


@pytest.mark.parametrize("script", sorted(SCRIPTS))
def test_signed_pages_of_every_script_agree(script: str) -> None:
    assert find_disagreement(signed_in(script)) is None


@pytest.mark.parametrize("look", LOOKS)
def test_pages_of_every_look_agree(look: str) -> None:
    assert find_disagreement(pdf_of(look)) is None


def test_signed_pages_of_the_agreement_agree() -> None:
    assert find_disagreement(signed(sent())) is None


def test_pages_of_two_files_are_compared_in_both() -> None:
    assert first_difference(HELLO, HELLO) is None
    assert first_difference(HELLO, rendered_pdf(paragraph("Hello, EUR 48,001"))) == 1


def test_another_number_of_pages_is_a_difference() -> None:
    assert first_difference(pdfs.of_pages(1), pdfs.of_pages(2)) == 2


def test_only_the_named_pages_are_compared() -> None:
    assert page_count(pdfs.of_pages(3)) == 3
    assert find_disagreement(pdfs.of_pages(3), range(1, 3)) is None


def test_a_file_that_neither_opens_is_not_drawable() -> None:
    with pytest.raises(NotDrawable):
        find_disagreement(b"no PDF")


def _of_size(width: float, height: float) -> bytes:
    output = BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(width, height))
        pdf.save(output)
    return output.getvalue()


@pytest.mark.parametrize(("width", "height"), [(3, 14_400), (14_400, 14_400), (3, 3)])
def test_odd_sizes_are_drawn_within_bounds(width: float, height: float) -> None:
    assert find_disagreement(_of_size(width, height)) is None


def test_a_page_of_another_size_is_a_disagreement_without_a_picture() -> None:
    assert _compare(_of_size(100, 100), _of_size(100, 200)) == Disagreement(1)


async def test_both_renderers_work_in_a_confined_process() -> None:
    pool = ForkServerPool(1, limits=UNTRUSTED_FILES, warm_modules=("layout.pdf.compare_pages",))
    try:
        assert await pool.run(find_disagreement, written(Drawing(), Look())) is None
        assert await pool.run(first_difference, HELLO, HELLO) is None
    finally:
        await pool.close()


def test_a_line_of_glyphs_with_fractions_in_their_widths_is_shown_alike_once_it_is_written_anew() -> None:
    widths = b" ".join([b"500.9"] * 95)
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /FirstChar 32 /LastChar 126 /Widths [%b] >>" % widths
    line = b"BT /F1 9 Tf 20 300 Td (%b) Tj ET" % (b"the quick brown fox jumps over the lazy dog " * 4)
    uploaded = file(drawing=line, _5=font)
    assert find_disagreement(uploaded) is not None
    stored = validate_pdf(uploaded).rewritten
    assert stored
    assert find_disagreement(stored) is None
    assert b"500.9" not in stored
