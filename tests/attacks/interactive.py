"""What is unusual in what an upload lets people do: annotations, forms, actions; and evidence that it brings."""

from random import Random

from tests.attacks.draft import FONT, HIDDEN, LATER, PAGE, Draft, covering, form, stream, text
from tests.attacks.tricks import honest, trick
from tests.pades.verification.prepared_documents import certificate

_RECT = b"/Rect [0 0 595 842]"
_LOW = b"/Rect [60 280 500 340]"
_FLAGS = (b"", b"/F 4", b"/F 2", b"/F 32", b"/F 1", b"/F 36", b"/F 6", b"/F 256", b"/F 24")


def _look(draft: Draft, data: bytes | None = None) -> bytes:
    return b"/AP<</N %d 0 R>>" % draft.add(form(covering() if data is None else data))


def _fields(draft: Draft, fields: list[int], entries: bytes = b"") -> None:
    named = b" ".join(b"%d 0 R" % number for number in fields)
    fonts = b"/DR<</Font<</Helv %d 0 R>>>>/DA(/Helv 12 Tf 0 g)" % FONT
    draft.root[b"AcroForm"] = b"<</Fields [%b]%b%b>>" % (named, fonts, entries)


@honest("a link")
def _link(draft: Draft, _random: Random) -> None:
    draft.annotate(b"/Subtype/Link/Border [0 0 0]%b/A<</S/URI/URI(https://example.org/)>>" % _LOW)


@honest("a stamp")
def _stamp(draft: Draft, _random: Random) -> None:
    draft.annotate(b"/Subtype/Stamp%b/F 4%b" % (_RECT, _look(draft, text("Received", 300))))


@honest("a filled field")
def _filled(draft: Draft, _random: Random) -> None:
    look = _look(draft, b"/Tx BMC " + text("48,000", 300, 12) + b"EMC")
    _fields(
        draft, [draft.annotate(b"/Subtype/Widget/FT/Tx/T(sum)/V(48,000)/F 4/DA(/Helv 12 Tf 0 g)%b%b" % (_RECT, look))]
    )


@honest("a ticked box")
def _ticked(draft: Draft, _random: Random) -> None:
    on, off = draft.add(form(text("x", 300, 12))), draft.add(form(b""))
    looks = b"/AP<</N<</Yes %d 0 R/Off %d 0 R>>>>/AS/Yes/V/Yes" % (on, off)
    _fields(draft, [draft.annotate(b"/Subtype/Widget/FT/Btn/T(agreed)/F 4%b%b" % (_RECT, looks))])


@trick("an unsigned signature field with a look")
def _signature(draft: Draft, random: Random) -> None:
    value = random.choice((b"", b"/V null", b"/V<</Type/Sig>>"))
    kind = b"/Subtype/Widget/FT/Sig/T(Signature)%b%b%b%b" % (_RECT, _look(draft), value, random.choice(_FLAGS))
    _fields(draft, [draft.annotate(kind)], random.choice((b"", b"/SigFlags 1", b"/SigFlags 3")))


@trick("an annotation without a look")
def _bare(draft: Draft, random: Random) -> None:
    kinds = (
        b"/Subtype/FreeText/DA(/Helv 36 Tf 1 0 0 rg)/Contents(%b)" % HIDDEN.encode(), b"/Subtype/Square/IC [1 1 1]",
        b"/Subtype/Stamp/Name/Approved", b"/Subtype/Circle/C [1 0 0]/BS<</W 9>>", b"/Subtype/Text/Contents(a)",
        b"/Subtype/Highlight/C [1 0 0]/QuadPoints [60 340 500 340 60 280 500 280]",
        b"/Subtype/Ink/InkList [[60 280 500 340]]",
        b"/Subtype/Line/L [60 280 500 340]/C [1 0 0]/BS<</W 9>>", b"/Subtype/Redact/OverlayText(a)/IC [0 0 0]",
        b"/Subtype/Link/Border [0 0 9]/C [1 0 0]", b"/Subtype/Watermark", b"/Subtype/Caret", b"/Subtype/Odd/C [1 0 0]",
        b"/Subtype/FileAttachment/FS<</Type/Filespec/F(a.txt)>>",
        b"/Subtype/Polygon/Vertices [60 280 500 340 60 340]/IC [1 0 0]",
        b"/Subtype/Popup/Open true", b"/Subtype/PrinterMark", b"/Subtype/TrapNet",
    )  # fmt: skip
    draft.annotate(random.choice(kinds) + _LOW + random.choice(_FLAGS))


@trick("an annotation with flags")
def _flags(draft: Draft, random: Random) -> None:
    kind = random.choice(
        (b"/Subtype/Stamp", b"/Subtype/Watermark", b"/Subtype/Square", b"/Subtype/Odd", b"/Subtype/Popup")
    )
    draft.annotate(kind + _RECT + random.choice(_FLAGS) + _look(draft))


@trick("an annotation with an odd look")
def _odd_look(draft: Draft, random: Random) -> None:
    number = draft.add(form(covering()))
    other = draft.add(form(text(HIDDEN, 300)))
    looks = (
        b"/AP<</N<</On %d 0 R>>>>/AS/On" % number, b"/AP<</N<</On %d 0 R>>>>" % number, b"/AP<</D %d 0 R>>" % number,
        b"/AP<</N<</On %d 0 R/Off %d 0 R>>>>/AS/Other" % (number, other), b"/AP<</R %d 0 R>>" % number,
        b"/AP<</N null/D %d 0 R>>" % number, b"/AP %d 0 R" % number, b"/AP<</N [%d 0 R]>>" % number,
        b"/AP<</N %d 0 R/D %d 0 R>>" % (number, other), b"/AP<</N %d 0 R>>/CA 0" % number,
        b"/AP<</N<</On<</N %d 0 R>>>>>>/AS/On" % number, b"/AP<</N %d 0 R>>" % LATER,
    )  # fmt: skip
    draft.later[LATER] = form(covering())
    draft.annotate(
        random.choice((b"/Subtype/Stamp", b"/Subtype/Widget/FT/Btn")) + _RECT + b"/F 4" + random.choice(looks)
    )


@trick("an annotation in an odd place")
def _place(draft: Draft, random: Random) -> None:
    places = (
        b"/Rect [595 842 0 0]",
        b"/Rect [0 0 0 0]",
        b"/Rect [0 0 9 (9)]",
        b"",
        b"/Rect [0 0 1e9 1e9]",
        b"/Rect 9 0 R",
    )
    draft.annotate(b"/Subtype/Stamp/F 4" + random.choice(places) + _look(draft))


@trick("a field whose value is another than its look")
def _value(draft: Draft, random: Random) -> None:
    shown = random.choice((_look(draft, text("48,000", 300, 24)), b""))
    kind = random.choice(
        (b"/FT/Tx/V(4,800,000)", b"/FT/Ch/Opt [(4,800,000)]/V(4,800,000)", b"/FT/Btn/MK<</CA(4,800,000)>>/Ff 65536")
    )
    flags = random.choice((b"", b"/Ff 2", b"/MK<</BG [1 1 1]/BC [1 0 0]>>", b"/Q 2", b"/RV(<p>9</p>)"))
    field = draft.annotate(b"/Subtype/Widget/T(sum)%b/DA(/Helv 24 Tf 0 g)/F 4%b%b%b" % (_LOW, kind, shown, flags))
    _fields(draft, [field], random.choice((b"", b"/NeedAppearances true", b"/NeedAppearances 1")))


@trick("annotations in an odd list")
def _list(draft: Draft, random: Random) -> None:
    number = draft.add(b"<</Type/Annot/Subtype/Stamp%b/F 4%b>>" % (_RECT, _look(draft)))
    draft.later[LATER] = draft.objects[number]
    lists = (b"[null %d 0 R]", b"%d 0 R", b"[[%d 0 R]]", b"[%d 0 R %d 0 R]", b"<</A %d 0 R>>", b"[%d 1 R]")
    chosen = random.choice((*lists, b"[%d 0 R]" % LATER))
    draft.page[b"Annots"] = chosen.replace(b"%d", b"%d" % number)


# Actions

_ACTIONS = (
    b"<</S/SetOCGState/State [/Toggle 8 0 R]>>", b"<</S/Hide/T(sum)/H true>>", b"<</S/ResetForm>>",
    b"<</S/Named/N/Print>>",
    b"<</S/SubmitForm/F<</FS/URL/F(https://e.example/)>>>>", b"<</S/GoToR/F(other.pdf)/D [0/Fit]>>",
    b"<</S/GoToE/T<</R/C/N(other.pdf)>>/D [0/Fit]>>", b"<</S/URI/URI(https://e.example/)>>",
    b"<</S/Sound/Sound 8 0 R>>",
    b"<</S/Movie/T(a)>>", b"<</S/Trans>>", b"<</S/Rendition/OP 0>>", b"<</S/Thread/F(other.pdf)/D 0>>",
    b"<</S/GoTo3DView>>",
    b"<</S/GoToDp>>", b"<</S/L#61unch/F(a)>>", b"<</S/Odd>>",
)  # fmt: skip


@trick("an action on opening")
def _opening(draft: Draft, random: Random) -> None:
    action = random.choice(_ACTIONS)
    if random.random() < 0.5:
        draft.root[b"OpenAction"] = action
    else:
        draft.page[b"AA"] = b"<</%b %b>>" % (random.choice((b"O", b"C")), action)


@trick("an action behind another")
def _next(draft: Draft, random: Random) -> None:
    action = random.choice(_ACTIONS)
    draft.root[b"OpenAction"] = b"<</S/GoTo/D [%d 0 R/Fit]/Next %b>>" % (
        PAGE,
        random.choice((action, b"[%b]" % action)),
    )


@trick("an action of the document, or of an annotation")
def _document(draft: Draft, random: Random) -> None:
    action = random.choice([one for one in _ACTIONS if b"/S/URI" not in one])
    if random.random() < 0.5:
        draft.root[b"AA"] = b"<</%b %b>>" % (random.choice((b"WC", b"WS", b"DP")), action)
    else:
        draft.annotate(b"/Subtype/Link%b/A %b" % (_LOW, action))


@trick("a portfolio")
def _portfolio(draft: Draft, _random: Random) -> None:
    held = draft.add(stream(b"%PDF-1.4\n" + HIDDEN.encode(), b"/Type/EmbeddedFile"))
    file = draft.add(b"<</Type/Filespec/F(other.pdf)/EF<</F %d 0 R>>>>" % held)
    draft.root[b"Names"] = b"<</EmbeddedFiles<</Names [(other.pdf) %d 0 R]>>>>" % file
    draft.root[b"Collection"] = b"<</View/T/D(other.pdf)>>"


# Evidence of its own

_STORES = (
    b"5", b"null", b"[]", b"<<>>", b"<</Certs [null]>>", b"<</Certs %d 0 R>>", b"<</Certs [%d 0 R]>>",
    b"<</CRLs [%d 0 R]>>",
    b"<</OCSPs [%d 0 R]>>", b"<</VRI<</AB<</Cert [%d 0 R]>>>>>>", b"<</VRI 5>>", b"<</VRI<</AB null>>>>", b"99 0 R",
    b"<</Certs [%d 0 R %d 0 R]/Type/DSS/Odd 1>>", b"<</Certs [<<>>]>>", b"<</Certs [99 0 R]>>", b"(store)",
)  # fmt: skip


@honest("a store of certificates")
def _store(draft: Draft, random: Random) -> None:
    held = random.choice((b"junk", b"", certificate(), certificate() + b"\0" * 99, b"PK\x05\x06" + bytes(18)))
    number = draft.add(stream(held))
    draft.root[b"DSS"] = random.choice(_STORES).replace(b"%d", b"%d" % number)
