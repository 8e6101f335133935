"""Two renderers agree on honest pages, and a digit more is a disagreement."""

from layout.pdf.compare_pages import find_disagreement, first_difference
from tests.application.uploads import pdfs
from tests.layout.documents import paragraph, rendered_pdf

HELLO = rendered_pdf(paragraph("Hello, EUR 48,000"))


def test_a_page_of_the_engine_is_the_same_in_both() -> None:
    assert find_disagreement(HELLO) is None


def test_pages_of_two_files_are_compared_in_both() -> None:
    assert first_difference(HELLO, HELLO) is None
    assert first_difference(HELLO, rendered_pdf(paragraph("Hello, EUR 48,001"))) == 1


def test_another_number_of_pages_is_a_difference() -> None:
    assert first_difference(pdfs.of_pages(1), pdfs.of_pages(2)) == 2
