"""Forms inside PDFs that show something else in every reader."""

from pikepdf import Name, Pdf

from api.files.refused import PdfRefused

_DRAWN_BY_READERS = (
    "The PDF has a form whose fields are drawn by each reader in its own way. Print it to a new PDF, which keeps what "
    "you see, and upload that."
)


def check_form(pdf: Pdf) -> None:
    """Returns unless readers are to draw the fields of the form anew (ISO 32000-2: 12.7.3, NeedAppearances).

    A seal takes that order away, since it would change what was sealed, and the fields would look otherwise.

    Raises:
        PdfRefused: they are.
    """
    form = pdf.Root.get(Name.AcroForm)
    if form is not None and bool(form.get(Name.NeedAppearances, False)) and len(form.get(Name.Fields, [])):
        raise PdfRefused(_DRAWN_BY_READERS)
