"""Odd uploads without signatures are refused, or written in a form in which nothing is left that readers differ in.

The known ones by name, each with the outcome; and files from a grammar of tricks and entries.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from tests.attacks import appearances, interactive, structure  # noqa: F401  # they register their tricks
from tests.attacks.draft import CONTENT, LATER, Draft, covering, form, new_draft, stream, text
from tests.attacks.tricks import HONEST, TRICKS

WRITTEN = None
"""The outcome of an upload that is written in canonical form."""

Change = Callable[[Draft], object]


def _linearised(length: bytes) -> Change:
    mark = b"%%PDF-1.7\n99 0 obj\n<</Linearized 1/L %b/O 3/E 0/N 1/T 0>>\nendobj\n" % length
    return lambda draft: draft.finish.append(lambda file, _: _behind_header(file, mark))


def _behind_header(file: bytes, mark: bytes) -> bytes:
    """The file with `mark` for its header, and offsets that are right again."""
    more = len(mark) - len(b"%PDF-1.7\n")
    file = re.sub(rb"(\d{10}) 00000 n", lambda row: b"%010d 00000 n" % (int(row[1]) + more), file)
    file = re.sub(rb"startxref\n(\d+)", lambda end: b"startxref\n%d" % (int(end[1]) + more), file)
    return mark + file.removeprefix(b"%PDF-1.7\n")


def _free(draft: Draft) -> None:
    number = draft.add(form(covering()))
    draft.resource(b"XObject", b"Free", b"%d 0 R" % number)
    draft.draw(b"/Free Do\n")
    draft.free.add(number)


def _free_content(draft: Draft) -> None:
    number = draft.add(stream(covering()))
    draft.contents = b"[%d 0 R %d 0 R]" % (CONTENT, number)
    draft.free.add(number)


def _free_glyph(draft: Draft) -> None:
    glyph = draft.add(stream(b"500 0 0 0 500 700 d1 0 0 500 700 re f"))
    font = b"/FontBBox [0 0 0 0]/FontMatrix [.001 0 0 .001 0 0]/FirstChar 97/LastChar 97/Widths [500]"
    kind = b"/Type/Font/Subtype/Type3/CharProcs<</a %d 0 R>>/Encoding<</Differences [97/a]>>" % glyph
    draft.resource(b"Font", b"F3", b"%d 0 R" % draft.add(b"<<%b%b>>" % (kind, font)))
    draft.draw(text("aaa", font="F3"))
    draft.free.add(glyph)


def _referring(written: bytes) -> Change:
    def refer(draft: Draft) -> None:
        draft.resource(b"XObject", b"Odd", written % LATER)
        draft.draw(b"/Odd Do\n")

    return refer


def _page_box(box: bytes) -> Change:
    def turn(draft: Draft) -> None:
        draft.page[b"MediaBox"] = box

    return turn


def _backdrop(draft: Draft) -> None:
    group = form(b"1 g 0 0 595 842 re f", b"/Group<</S/Transparency/CS/DeviceGray>>")
    draft.state(b"/SMask<</S/Luminosity/G %d 0 R/BC [1 1 1]>>" % draft.add(group), covering())


def _expression(expression: bytes) -> Change:
    def draw(draft: Draft) -> None:
        layer = draft.layer()
        draft.root[b"OCProperties"] = b"<</OCGs [%d 0 R]/D<<>>>>" % layer
        held = draft.add(b"<</Type/OCMD/VE %b>>" % (expression % layer))
        draft.resource(b"Properties", b"L1", b"%d 0 R" % held)
        draft.draw(b"/OC /L1 BDC\n%bEMC\n" % covering())

    return draw


def _field(entries: bytes) -> Change:
    def add(draft: Draft) -> None:
        look = draft.add(form(covering()))
        kind = b"/Subtype/Widget/Rect [0 0 595 842]/F 4/AP<</N %d 0 R>>%b" % (look, entries)
        draft.root[b"AcroForm"] = b"<</Fields [%d 0 R]>>" % draft.annotate(kind)

    return add


def _link(action: bytes) -> Change:
    return lambda draft: draft.annotate(b"/Subtype/Link/Rect [60 280 500 340]/Border [0 0 0]/A " + action)


def _opening(action: bytes) -> Change:
    return lambda draft: draft.root.update({b"OpenAction": action})


def _colour(space: bytes) -> Change:
    def draw(draft: Draft) -> None:
        draft.resource(b"ColorSpace", b"C1", space)
        draft.draw(b"/C1 cs 1 scn " + text("EUR 4,800,000"))

    return draw


def _picture(space: bytes, size: int) -> Change:
    entries = b"/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace" + space
    return lambda draft: draft.show(stream(bytes(size), entries))


_TINT = b"<</FunctionType 2/Domain [0 1]/C0 [0 0 0 0]/C1 [0 0 0 1]/N 1>>"
_SWAP = b"<</FunctionType 2/Domain [0 1]/C0 [1]/C1 [0]/N 1>>"

KNOWN: dict[str, tuple[Change, str | None]] = {
    "linearised, of a length that it does not have": (_linearised(b"60000"), WRITTEN),
    "linearised, of a length with a sign": (_linearised(b"+60000"), WRITTEN),
    "a form that is free": (_free, WRITTEN),
    "a content that is free": (_free_content, WRITTEN),
    "a glyph that is free": (_free_glyph, "does not have"),
    "a reference to a later object": (_referring(b"%d 0 R"), WRITTEN),
    "a reference with a sign": (_referring(b"%d +1 R"), WRITTEN),
    "a reference with a comment": (_referring(b"%d %%x\n1 R"), WRITTEN),
    "a page of kilometres": (_page_box(b"[0 0 595 99999]"), "five metres"),
    "a mask with another backdrop": (_backdrop, WRITTEN),
    "layers by expressions": (_expression(b"[/Not %d 0 R]"), WRITTEN),
    "an unsigned signature field with looks": (_field(b"/FT/Sig/T(Bill)"), WRITTEN),
    "transfer functions": (lambda draft: draft.state(b"/TR " + _SWAP, text("EUR 4,800,000")), WRITTEN),
    "a separation that is None": (_colour(b"[/Separation/None/DeviceCMYK %b]" % _TINT), "prints nothing"),
    "a separation of all inks": (_colour(b"[/Separation/All/DeviceCMYK %b]" % _TINT), WRITTEN),
    "several inks, among them all": (_colour(b"[/DeviceN [/All]/DeviceCMYK %b]" % _TINT), WRITTEN),
    "a picture that lacks data": (_picture(b"/DeviceRGB", 11), "picture that is damaged"),
    "a picture that has more data": (_picture(b"/DeviceRGB", 13), WRITTEN),
    "a null among the contents": (lambda draft: setattr(draft, "contents", b"[null %d 0 R]" % CONTENT), WRITTEN),
    "units of its own": (lambda draft: draft.page.update({b"UserUnit": b"2"}), WRITTEN),
    "blend modes in a list": (lambda draft: draft.state(b"/BM [/Odd/Multiply]", covering()), WRITTEN),
    "a leaf with kids": (lambda draft: draft.page.update({b"Kids": b"[]"}), WRITTEN),
    "a leaf of the type of a tree": (lambda draft: draft.page.update({b"Type": b"/Pages"}), WRITTEN),
    "free text without looks": (
        lambda draft: draft.annotate(b"/Subtype/FreeText/DA(/Helv 36 Tf)/Contents(a)/Rect [9 9 99 99]"), WRITTEN,
    ),
    "layers that change on opening": (_opening(b"<</S/SetOCGState/State [/Toggle 8 0 R]>>"), WRITTEN),
    "fields that are hidden on opening": (_opening(b"<</S/Hide/T(sum)>>"), WRITTEN),
    "a form that is reset on opening": (_opening(b"<</S/ResetForm>>"), WRITTEN),
    "a form that is sent on opening": (_opening(b"<</S/SubmitForm/F(https://e.example/)>>"), WRITTEN),
    "an attached file that is opened": (_opening(b"<</S/GoToE/T<</R/C/N(a)>>/D [0/Fit]>>"), WRITTEN),
    "an address that is opened": (_opening(b"<</S/URI/URI(https://e.example/)>>"), WRITTEN),
    "a portfolio": (lambda draft: draft.root.update({b"Collection": b"<</View/T>>"}), WRITTEN),
    "a store of evidence": (lambda draft: draft.root.update({b"DSS": b"<</Certs [null]>>"}), WRITTEN),
    "a link that sends a form": (_link(b"<</S/SubmitForm/F(https://e.example/)>>"), WRITTEN),
    "a link into a share of a network": (_link(b"<</S/GoToR/F(\\\\\\\\e.example\\\\x)/D [0/Fit]>>"), WRITTEN),
    "a link that runs a program": (_link(b"<</S/Launch/F(a)>>"), "starts a program"),
    "a script": (_link(b"<</S/JavaScript/JS(a)>>"), "JavaScript"),
    "contents in another file": (
        lambda draft: setattr(draft, "contents", b"%d 0 R" % draft.add(stream(b"", b"/F(other.bin)"))), "other files",
    ),
    "rich media without content": (
        lambda draft: draft.annotate(b"/Subtype/RichMedia/Rect [9 9 99 99]"), WRITTEN,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_tricks_are_refused_or_made_plain(name: str) -> None:
    change, reason = KNOWN[name]
    draft = new_draft()
    change(draft)
    if reason is None:
        _assert_plain(validate_pdf(draft.write()).rewritten)
    else:
        with pytest.raises(PdfRefused, match=reason):
            validate_pdf(draft.write())


_KEYS = b"""
    AA AF AP Annots BBox Collection Contents CropBox DSS Encrypt Extensions Group Kids Lang MediaBox Metadata Names
    NeedsRendering OCProperties OpenAction Outlines PageLabels PageMode Perms Requirements Resources Rotate
    StructParents StructTreeRoot Tabs Threads Trans Type URI UserUnit VP Version ViewerPreferences AcroForm
    Legal PieceInfo Odd
""".split()
_VALUES = (
    b"null", b"true", b"0", b"-1", b"90", b"1e9", b"0.5", b"(a)", b"<>", b"/Odd", b"/Page", b"[]", b"[null]", b"<<>>",
    b"[0 0 99 99]", b"<</S/Hide/T(a)>>", b"<</S/GoTo/D [3 0 R/Fit]>>", b"1 0 R", b"3 0 R", b"5 0 R", b"99 0 R",
    b"5 1 R", b"[3 0 R]", b"<</Odd 3 0 R>>", b"<</Fields [3 0 R]>>", b"<</D<<>>/OCGs [3 0 R]>>", b"[[[[]]]]",
    b"<</Kids [1 0 R]>>",
)  # fmt: skip


@st.composite
def _uploads(draw: st.DrawFn) -> bytes:
    """Returns an upload with some tricks, and with entries of any kind in the catalogue, the page tree and the page."""
    draft, random = new_draft(), draw(st.randoms(use_true_random=False))
    for name in draw(st.lists(st.sampled_from([*HONEST, *TRICKS]), max_size=3, unique=True)):
        (HONEST.get(name) or TRICKS[name])(draft, random)
    for _ in range(draw(st.integers(0, 3))):
        holder = draw(st.sampled_from([draft.root, draft.page, draft.pages]))
        holder[draw(st.sampled_from(_KEYS))] = draw(st.sampled_from(_VALUES))
    return draft.write()


@pytest.mark.filterwarnings("ignore:Duplicate name")  # of two archives behind one file
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_uploads())
def test_an_odd_upload_is_refused_or_made_plain(upload: bytes) -> None:
    with suppress(PdfRefused):
        _assert_plain(validate_pdf(upload).rewritten or upload)


_CATALOGUE = frozenset({
    "/Type", "/Pages", "/PageLabels", "/Names", "/Dests", "/ViewerPreferences", "/PageLayout", "/PageMode",
    "/Outlines", "/OpenAction", "/Metadata", "/StructTreeRoot", "/MarkInfo", "/Lang", "/OutputIntents",
    "/OCProperties", "/AF",
})  # fmt: skip
_NEVER = frozenset({"/TR", "/TR2", "/AA", "/VE", "/Linearized", "/Collection", "/UserUnit", "/JS", "/AcroForm", "/DSS"})


def _assert_plain(written: bytes | None) -> None:
    """Fails unless the file is stable and sound, and holds only what all readers take for the same."""
    assert written is not None
    assert validate_pdf(written).rewritten is None
    assert len(re.findall(rb"startxref", written)) == 1
    assert not [row for row in re.findall(rb"(\d{10}) \d{5} f", written) if int(row)]
    with pikepdf.open(BytesIO(written), attempt_recovery=False, inherit_page_attributes=False) as opened:
        assert not opened.get_warnings()
        assert set(opened.Root.keys()) <= _CATALOGUE
        for page in opened.Root.Pages.Kids:
            assert page.Type == "/Page"
            assert all(one.Subtype == "/Link" for one in page.get("/Annots", ()))
        for one in opened.objects:
            if isinstance(one, pikepdf.Dictionary | pikepdf.Stream):
                assert not _NEVER & set(one.keys())
                assert str(one.get("/S", "/GoTo")) in {"/GoTo", "/URI", "/Transparency", "/GTS_PDFX", "/Luminosity"}
