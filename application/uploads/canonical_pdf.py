"""Writes an upload anew, in the one form in which all PDF readers find the same (Specification 2.13, decision 19).

One revision and one cross-reference, objects numbered in the order in which the catalogue leads to them, a plain tree
of pages, plain layers, resources and contents, no forms and remarks that readers draw. The same content gives the same
bytes, and a canonical file is written as it is.
"""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, Pdf, Stream, StreamDecodeLevel

from application.uploads.pdf_limits import MAX_ALL, PdfRefused
from application.uploads.plain_annotations import clear, prepare_annotations
from application.uploads.plain_catalogue import plain_catalogue
from application.uploads.plain_content import ends_inside_token
from application.uploads.plain_layers import Layers
from application.uploads.plain_pages import content_streams, find_pages, plain_page, rebuild_tree
from application.uploads.plain_resources import Resources
from application.uploads.plain_streams import MARKS, write_plain_streams
from domain.ports.uploads import PRINT_AGAIN

_SHELL = re.compile(rb"%PDF-[12]\.\d\n%\xbf\xf7\xa2\xfe\n1 0 obj\n.*\nstartxref\n(\d+)\n%%EOF\n", re.DOTALL)
_MARKS_OF_A_PDF = 3  # header, startxref and end

_MAX_ROUNDS = 3
"""Times that a file is written until it stays the same; most stay so after the first."""

_NOT_CANONICAL = (
    "The PDF cannot be written in the form in which all PDF readers show the same. Print it to a new PDF with another "
    "program, and upload that."
)
_TOO_LARGE = f"The contents of the pages are far larger than a document needs. {PRINT_AGAIN}"


class CanonicalPdf:
    """One open PDF, made canonical in memory. `found` names what readers show or do differently.

    Raises `PdfRefused` if readers differ in what people would miss, and errors of pikepdf.
    """

    def __init__(self, pdf: Pdf) -> None:
        self.found: set[str] = set()
        self._pdf = pdf
        self._has_object_streams = pdf.trailer.get(Name.Type) == Name.XRef
        self._version = max(pdf.pdf_version, str(pdf.Root.get(Name.Version, ""))[1:])
        self._layers = Layers(pdf, self.found)
        self._resources = Resources(pdf, self._layers, self.found)
        plain_catalogue(pdf, self.found)
        self._pages = find_pages(pdf, self.found)
        self.page_count = len(self._pages)
        for page in self._pages:
            plain_page(page, self.found)
        self._draw_annotations()
        self._plain_contents()
        self._layers.write()
        rebuild_tree(pdf, self._pages)

    def write(self) -> bytes:
        """Returns the canonical file."""
        write_plain_streams(self._pdf)
        written = self._save(ObjectStreamMode.generate if self._has_object_streams else ObjectStreamMode.disable)
        if not self._has_object_streams and len(MARKS.findall(written)) != _MARKS_OF_A_PDF:
            written = self._save(ObjectStreamMode.generate)  # a text holds such a mark
        return written

    def _save(self, mode: ObjectStreamMode) -> bytes:
        written = BytesIO()
        self._pdf.save(
            written,
            object_stream_mode=mode,
            stream_decode_level=StreamDecodeLevel.none,
            deterministic_id=True,
            fix_metadata_version=False,
            compress_streams=mode == ObjectStreamMode.generate,
            min_version=self._version,
        )
        return written.getvalue()

    def _draw_annotations(self) -> None:
        """Draws annotations and fields into the pages; links stay."""
        _generate_appearances(self._pdf, self.found)
        for number, page in enumerate(self._pages, 1):
            prepare_annotations(self._pdf, page, number, self._layers, self.found)
        drawn = [one for page in self._pages for one in page.get(Name.Annots, ()) if one.Subtype != Name.Link]
        form = self._pdf.Root.get(Name.AcroForm)
        if isinstance(form, Dictionary):
            form[Name.NeedAppearances] = False
        if drawn:
            self._pdf.flatten_annotations("screen")
        for page in self._pages:
            links = [one for one in page.get(Name.Annots, ()) if one.get(Name.Subtype) == Name.Link]
            if links:
                page[Name.Annots] = Array(links)
            elif Name.Annots in page:
                del page[Name.Annots]
        for annotation in drawn:
            clear(annotation)
        if Name.AcroForm in self._pdf.Root:
            del self._pdf.Root[Name.AcroForm]

    def _plain_contents(self) -> None:
        listed = [content_streams(page, self.found) for page in self._pages]
        uses = Counter(stream.objgen for streams in listed for stream in streams)
        size = 0
        for page, streams in zip(self._pages, listed, strict=True):
            self._resources.visit(page.Resources)
            parts = [stream.read_bytes(StreamDecodeLevel.specialized) for stream in streams]
            is_split = any(map(ends_inside_token, parts, parts[1:]))
            if is_split:
                self.found.add("contents of pages that are split inside a token")
            content = b"\n".join(parts)
            size += len(content)
            if size > MAX_ALL:
                raise PdfRefused(_TOO_LARGE)
            plain = self._resources.plain(content, page.Resources)
            is_own = len(streams) > 1 and all(uses[stream.objgen] == 1 for stream in streams)
            if plain is not content or is_own or is_split:
                page[Name.Contents] = self._pdf.make_stream(plain)


def _generate_appearances(pdf: Pdf, found: set[str]) -> None:
    """Draws text fields and lists without an appearance, if the file has some or leaves all to readers."""
    form = pdf.Root.get(Name.AcroForm)
    if not isinstance(form, Dictionary):
        return
    kept: dict[tuple[int, int], Object] = {}
    lacks = False
    for widget in _widgets(pdf):
        look = widget.get(Name.AP)
        if isinstance(look, Dictionary) and Name.N in look:
            kept[widget.objgen] = look
        else:
            lacks = lacks or widget.get(Name.Rect) is not None
    if form.get(Name.NeedAppearances):
        found.add("a form whose fields each reader draws")
    if not lacks:
        return
    form[Name.NeedAppearances] = True
    pdf.generate_appearance_streams()
    for widget in _widgets(pdf):
        if widget.objgen in kept:
            widget[Name.AP] = kept[widget.objgen]


def _widgets(pdf: Pdf) -> Iterator[Object]:
    for thing in pdf.objects:
        if isinstance(thing, Dictionary) and not isinstance(thing, Stream) and thing.get(Name.Subtype) == Name.Widget:
            yield thing


def canonical_form(pdf: Pdf) -> tuple[bytes, int]:
    """Returns the canonical file of an open PDF, and the number of its pages.

    The result opens without repair or warning, and its own canonical form has the same bytes. Raises `PdfRefused`, and
    errors of pikepdf.
    """
    canonical = CanonicalPdf(pdf)
    written = canonical.write()
    for _ in range(_MAX_ROUNDS):
        if not _SHELL.fullmatch(written) or len(MARKS.findall(written)) != _MARKS_OF_A_PDF:
            break
        with pikepdf.open(BytesIO(written), attempt_recovery=False, inherit_page_attributes=False) as opened:
            if opened.get_warnings():
                break
            again = CanonicalPdf(opened).write()
        if again == written:
            return written, canonical.page_count
        written = again
    raise PdfRefused(_NOT_CANONICAL)
