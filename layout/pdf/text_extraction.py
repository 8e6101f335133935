"""Reading the text of a PDF's pages, as readers copy it. Loads PyMuPDF: for child processes."""

from layout.pdf.mupdf import open_file


def text_of(pdf: bytes) -> str:
    """All text on the pages, in the order in which it is drawn.

    Raises:
        RuntimeError: the file cannot be read.
    """
    with open_file(pdf) as file:
        return "".join(str(page.get_text()) for page in file)  # type: ignore[attr-defined]
