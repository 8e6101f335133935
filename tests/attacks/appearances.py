"""What is unusual in what a page draws with: layers, graphics states, colours, boxes, fonts, filters."""

import zlib
from copy import deepcopy
from random import Random

from application.uploads.content_state import ContentState, Drawn, Named, Role, Space
from application.uploads.pdf_limits import PdfRefused
from application.uploads.text_strings import Font
from tests.attacks.draft import CONTENT, FONT, HIDDEN, PAGE, Draft, covering, form, stream, text
from tests.attacks.tricks import honest, trick

_TINT = b"<</FunctionType 2/Domain [0 1]/C0 [0 0 0 0]/C1 [0 0 0 1]/N 1>>"
_EMPTY_TINT = b"<</FunctionType 2/Domain [0 1]/C0 [0 0 0 0]/C1 [0 0 0 0]/N 1>>"
_SWAPPED = b"<</FunctionType 2/Domain [0 1]/C0 [1]/C1 [0]/N 1>>"
_WHITE = b"<</FunctionType 2/Domain [0 1]/C0 [1]/C1 [1]/N 1>>"


def _layers(draft: Draft, layers: list[int], settings: bytes) -> None:
    named = b" ".join(b"%d 0 R" % number for number in layers)
    draft.root[b"OCProperties"] = b"<</OCGs [%b]/D<<%b>>>>" % (named, settings)


def _in_layer(draft: Draft, layer: bytes, data: bytes, random: Random) -> None:
    """Draws in a layer, in one of the ways there are."""
    way = random.randrange(3)
    name = b"L%d" % len(draft.content)
    if way == 0:
        draft.resource(b"Properties", name, layer)
        draft.draw(b"/OC /%b BDC\n%bEMC\n" % (name, data))
    elif way == 1:
        draft.show(form(data, b"/OC %b" % layer), name)
    else:
        look = draft.add(form(data))
        draft.annotate(b"/Subtype/Stamp/Rect [0 0 595 842]/F 4/AP<</N %d 0 R>>/OC %b" % (look, layer))


@honest("a layer that is on, and one that is off")
def _plain_layers(draft: Draft, _random: Random) -> None:
    layers = [draft.layer(), draft.layer()]
    _layers(draft, layers, b"/OFF [%d 0 R]/Order [%d 0 R %d 0 R]" % (layers[1], *layers))
    for layer, words in zip(layers, ("Shown", "Not shown"), strict=True):
        draft.resource(b"Properties", b"L%d" % layer, b"%d 0 R" % layer)
        draft.draw(b"/OC /L%d BDC\n%bEMC\n" % (layer, text(words, 300)))


@trick("a layer by an expression")
def _expression(draft: Draft, random: Random) -> None:
    layer = draft.layer()
    _layers(draft, [layer], random.choice((b"", b"/OFF [%d 0 R]" % layer)))
    expression = random.choice((b"[/Not %d 0 R]", b"[/And [/Not %d 0 R]]", b"[/Or %d 0 R]", b"[/Xor %d 0 R]", b"[]"))
    held = b"<</Type/OCMD/VE %b%b>>" % (
        expression % ((layer,) if b"%d" in expression else ()),
        random.choice((b"", b"/OCGs %d 0 R" % layer, b"/OCGs []")),
    )
    _in_layer(draft, b"%d 0 R" % draft.add(held), covering(), random)


@trick("a layer by a policy")
def _policy(draft: Draft, random: Random) -> None:
    layers = [draft.layer(), draft.layer()]
    _layers(draft, layers, b"/OFF [%d 0 R]" % layers[0])
    groups = random.choice((b"[%d 0 R %d 0 R]" % (*layers,), b"[null %d 0 R]" % layers[0], b"[]", b"99 0 R"))
    policy = random.choice((b"AllOn", b"AnyOn", b"AnyOff", b"AllOff", b"Other"))
    _in_layer(draft, b"%d 0 R" % draft.add(b"<</Type/OCMD/OCGs %b/P/%b>>" % (groups, policy)), covering(), random)


@trick("a layer inside a policy of a policy")
def _nested(draft: Draft, random: Random) -> None:
    layer = draft.layer()
    _layers(draft, [layer], b"/OFF [%d 0 R]" % layer)
    inner = draft.add(b"<</Type/OCMD/OCGs %d 0 R/P/AllOff>>" % layer)
    _in_layer(draft, b"%d 0 R" % draft.add(b"<</Type/OCMD/OCGs %d 0 R>>" % inner), covering(), random)


@trick("a layer by use")
def _usage(draft: Draft, random: Random) -> None:
    usages = (
        b"/View<</ViewState/%b>>", b"/Print<</PrintState/%b>>", b"/Export<</ExportState/%b>>",
    )  # fmt: skip
    usage = b"".join(one % random.choice((b"ON", b"OFF")) for one in usages)
    layer = draft.layer(b"/Usage<<%b/Zoom<</min 2>>/Language<</Lang(de)>>>>" % usage)
    event = random.choice((b"View", b"Print", b"Export"))
    categories = random.choice((b"/View/Print/Export", b"/Zoom", b"/Language"))
    applied = b"/AS [<</Event/%b/OCGs [%d 0 R]/Category [%b]>>]" % (event, layer, categories)
    off = random.choice((b"", b"/OFF [%d 0 R]" % layer))
    _layers(draft, [layer], applied + off)
    _in_layer(draft, b"%d 0 R" % layer, covering(), random)


@trick("a layer by an odd setting")
def _setting(draft: Draft, random: Random) -> None:
    layer = draft.layer(random.choice((b"", b"/Intent/Design", b"/Intent [/View/Design]", b"/Intent []")))
    settings = (
        b"/BaseState/OFF", b"/BaseState/Unchanged", b"/OFF [%d 0 R]/ON [%d 0 R]", b"/Intent/Design/OFF [%d 0 R]",
        b"/OFF %d 0 R", b"/OFF [<</Type/OCG>> %d 0 R]", b"/Intent []/OFF [%d 0 R]",
    )  # fmt: skip
    setting = random.choice(settings)
    _layers(draft, random.choice(([layer], [])), setting.replace(b"%d", b"%d" % layer))
    _in_layer(draft, b"%d 0 R" % layer, covering(), random)


@trick("a layer that no properties name")
def _unnamed(draft: Draft, random: Random) -> None:
    draft.draw(b"/OC /%b BDC\n%bEMC\n" % (random.choice((b"None", b"F1")), covering()))
    if random.random() < 0.5:
        _layers(draft, [draft.layer()], b"/BaseState/OFF")


# Graphics states and colours

_STATES = (
    b"/TR %b" % _SWAPPED, b"/TR2 %b" % _SWAPPED, b"/TR [%b]" % b" ".join((_WHITE,) * 4), b"/BM [/Odd/Multiply]",
    b"/BM [/Multiply/Normal]", b"/BM/Odd", b"/BM []", b"/ca 0", b"/ca 2", b"/ca -1", b"/ca null", b"/AIS true/ca .5",
    b"/BM/Difference", b"/BM/Luminosity", b"/BG %b" % _WHITE, b"/UCR %b" % _WHITE, b"/HT/Default", b"/Font [4 0 R 1]",
    b"/LW 40", b"/FL 100", b"/SA true", b"/TK false/ca .5", b"/SMask/None", b"/op true", b"/OP true/OPM 1",
)  # fmt: skip


@trick("a graphics state")
def _state(draft: Draft, random: Random) -> None:
    draft.state(random.choice(_STATES), random.choice((covering(), text(HIDDEN, 300), b"1 g " + text(HIDDEN, 300))))


@trick("overprint in white")
def _overprint(draft: Draft, random: Random) -> None:
    draft.state(
        b"/OP true/op true/OPM %d" % random.randrange(2),
        random.choice((b"0 0 0 0 k", b"1 g", b"1 1 1 rg")) + b" 50 540 500 60 re f\n",
    )


@trick("a soft mask")
def _mask(draft: Draft, random: Random) -> None:
    kind = random.choice((b"Luminosity", b"Alpha", b"Odd"))
    space = random.choice((b"/DeviceGray", b"/DeviceRGB", b"/DeviceCMYK"))
    group = form(random.choice((b"", b"1 g 0 0 595 842 re f")), b"/Group<</S/Transparency/CS %b>>" % space)
    more = random.choice((b"", b"/BC [1]", b"/BC [1 1 1]", b"/TR %b" % _SWAPPED, b"/TR/Identity"))
    draft.state(b"/SMask<</S/%b/G %d 0 R%b>>" % (kind, draft.add(group), more), covering())


@trick("a colour that some devices lack")
def _separation(draft: Draft, random: Random) -> None:
    tint = random.choice((_TINT, _EMPTY_TINT))
    names = random.choice((b"/None", b"/All", b"/Black", b"/Spot", b"/N#6fne"))
    one = b"[/Separation %b/DeviceCMYK %b]" % (names, tint)
    several = b"[/DeviceN [%b]/DeviceCMYK %b]" % (names, tint)
    draft.resource(b"ColorSpace", b"C1", random.choice((one, several)))
    drawn = random.choice((b"", b"1 g 50 540 500 60 re f\n"))
    draft.draw(drawn + b"/C1 cs 1 scn " + text(HIDDEN, random.choice((300, 560))) + b"0 g\n")


@trick("a colour space with an odd part")
def _space(draft: Draft, random: Random) -> None:
    profile = draft.add(stream(b"no profile", b"/N %d/Alternate/DeviceRGB" % random.choice((1, 3, 4))))
    spaces = (
        b"[/ICCBased %d 0 R]" % profile, b"[/Lab<</WhitePoint [1 1 1]/Range [0 0 0 0]>>]",
        b"[/CalRGB<</WhitePoint [1 1 1]/Gamma [9 9 9]>>]", b"[/CalGray<</WhitePoint [1 1 1]/Gamma 0>>]",
        b"[/Indexed/DeviceRGB 0 <ffffff>]", b"[/Indexed/DeviceRGB 1 <ffffff>]", b"/Odd", b"[/DeviceRGB]",
        b"[/Indexed/DeviceGray 300 <00>]",
    )  # fmt: skip
    draft.resource(b"ColorSpace", b"C1", random.choice(spaces))
    values = random.choice((b"1", b"1 1 1", b"1 0 0 0", b""))
    draft.draw(b"/C1 cs %b %b 50 540 500 60 re f 0 g\n" % (values, random.choice((b"sc", b"scn"))))


@trick("a pattern or a shading")
def _pattern(draft: Draft, random: Random) -> None:
    function = random.choice((_WHITE.replace(b"[1]", b"[1 1 1]"), b"99 0 R", b"[]"))
    axis = b"/ShadingType 2/ColorSpace/DeviceRGB/Coords [0 0 600 0]/Function %b" % function
    extended = random.choice((b"", b"/Extend [true true]", b"/Background [1 1 1]", b"/BBox [0 0 1 1]"))
    draft.resource(b"Shading", b"S1", b"<<%b%b>>" % (axis, extended))
    draft.resource(b"Pattern", b"P1", b"<</PatternType 2/Shading<<%b%b>>>>" % (axis, extended))
    draft.draw(random.choice((b"q 50 540 500 60 re W n /S1 sh Q\n", b"/Pattern cs /P1 scn 50 540 500 60 re f 0 g\n")))


@trick("text in an odd state")
def _text_state(draft: Draft, random: Random) -> None:
    states = (b"3 Tr", b"7 Tr", b"9 Tr", b"0 Tz", b"-100 Tz", b"99 Ts", b"1e9 Tc", b"4 Tr", b"0 0 0 0 0 0 Tm", b"-1 Tr")
    draft.draw(b"q BT /F1 36 Tf 60 300 Td %b (%b) Tj ET Q\n" % (random.choice(states), HIDDEN.encode()))


@trick("an operator with odd operands")
def _operands(draft: Draft, random: Random) -> None:
    odd = (
        b"1 1 1 1 rg", b"1 1 rg", b"(1) g", b"1 g g", b"q q q", b"Q Q Q", b"0 0 595 842 re W", b"1 0 0 1 0 cm",
        b"BX /Odd odd EX", b"/F1 Tf", b"--1 g", b"1.2.3 g", b"+-1 g", b"1- g", b"16#ff g", b"1E0 g", b"BT BT", b"ET",
        b"/None gs", b"<</A/B>> g", b"0 0 10 10 re n 1 g", b"true g", b"1 g%\r0 g", b"1\0g", b".g", b"BI ID EI 1 g",
    )  # fmt: skip
    draft.draw(b"0 g %b 50 540 500 60 re f 0 g\n" % random.choice(odd))


_DRAWN = (
    b"50 540 m", b"50 540 500 60 re", b"550 540 l", b"550 600 l", b"60 560 90 700 500 590 c", b"500 700 300 590 v",
    b"h", b"n", b"60 400 m 90 700 400 700 500 590 y", b"W", b"W*", b"f", b"f*", b"S", b"B", b"b*", b"q", b"Q", b"BT",
    b"ET", b"1 0 0 1 0 100 cm", b".5 0 0 .5 20 20 cm", b"/F1 36 Tf", b"/Nope 36 Tf", b"60 300 Td", b"0 -40 TD", b"T*",
    b"1 0 0 1 60 200 Tm", b"(EUR 9,999) Tj", b"[(EUR) -900 (7,7)] TJ", b"(EUR) '", b"5 9 (EUR 7) \"", b"1 Tr",
    b"3 Tr", b"5 Tr", b"7 Tr", b"0 Tr", b"40 TL", b"50 Tz", b"9 Ts", b"8 Tc", b"0 g", b"1 g", b"1 0 0 rg",
    b"0 1 1 0 k", b"1 G", b"0 0 1 RG", b"/DeviceRGB cs", b"/DeviceGray cs", b"/DeviceCMYK CS", b"/Pattern cs",
    b"/Pattern CS", b"/Tinted cs", b"/Nope cs", b"/Profile cs", b"1 scn", b"0 0 1 sc", b"1 0 0 0 SCN", b"/P1 scn",
    b"/P2 SCN", b"1 0 0 /P2 scn", b"/Nope scn", b"/S1 sh", b"/Nope sh", b"/X1 Do", b"/X2 Do", b"/I1 Do", b"/Nope Do",
    b"/G1 gs", b"/Nope gs", b"9 w", b"[9 4] 0 d", b"[] 0 d", b"[-9 4] 3 d", b"2 J", b"5 J", b"1 j", b"/Odd BMC",
    b"EMC", b"BX", b"EX", b"/Odd MP", b"4 i", b"BI /W 1 /H 1 /BPC 8 /CS /G ID x\nEI",
    b"BI /W 1 /H 1 /IM true ID \0\nEI", b"/Perceptual ri", b"d0", b"9 0 d0",
)  # fmt: skip
"""Operators of content, each with operands."""

_SURPLUS, _INVALID = 0.5, 0.002
"""How often an operator without effect, or one that is refused, is taken all the same."""


_NAMED = Named(
    spaces={"/Tinted": Space(3, is_pattern=True), "/Profile": Space(1)},
    patterns={"/P1": False, "/P2": True},
    shadings={"/S1"},
    drawn={"/X1": Drawn.FORM, "/X2": Drawn.FORM, "/I1": Drawn.STENCIL},
    fonts={"/F1": Font()},
    states={"/G1"},
)


def _program(random: Random, length: int, role: Role = Role.PAGE) -> bytes:
    """Returns content that the service accepts, for the most part: each operator may follow those before."""
    state, chosen = ContentState(_NAMED, role), list[bytes]()
    while len(chosen) < length:
        step = random.choice(_DRAWN)
        operands, _, operator = step.rpartition(b" ")
        before = deepcopy(state)
        try:
            if step.startswith(b"BI") or state.follow(operator, operands) is not None or random.random() < _SURPLUS:
                chosen.append(step)
        except PdfRefused:
            state = before
            if random.random() < _INVALID:
                chosen.append(step)
    return b" ".join(chosen) + b"\n"


@trick("operators in any order")
def _any_order(draft: Draft, random: Random) -> None:
    axis = b"/ShadingType 2/ColorSpace/DeviceCMYK/Coords [0 0 600 0]/Function %b" % _TINT
    tile = b"/Type/Pattern/PatternType 1/TilingType 1/BBox [0 0 9 9]/XStep 9/YStep 9/Resources<<>>/PaintType "
    draft.resource(b"Shading", b"S1", b"<<%b>>" % axis)
    draft.resource(b"Pattern", b"P1", b"%d 0 R" % draft.add(stream(b"1 0 0 rg 0 0 5 9 re f", tile + b"1")))
    draft.resource(b"Pattern", b"P2", b"%d 0 R" % draft.add(stream(b"0 0 5 9 re f", tile + b"2")))
    draft.resource(b"ColorSpace", b"Tinted", b"[/Pattern/DeviceRGB]")
    draft.resource(b"ColorSpace", b"Profile", b"[/Separation/Ink/DeviceCMYK %b]" % _TINT)
    draft.resource(b"ExtGState", b"G1", b"<</Font [%d 0 R 30]/LW 5>>" % FONT)
    draft.resource(b"XObject", b"X1", b"%d 0 R" % draft.add(form(_program(random, 6, Role.FORM))))
    draft.resource(b"XObject", b"X2", b"%d 0 R" % draft.add(form(b"50 40 50 60 re f")))
    image = b"/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 1/ImageMask true"
    draft.resource(b"XObject", b"I1", b"%d 0 R" % draft.add(stream(b"\0", image)))
    draft.draw(_program(random, 12))


# Boxes


@honest("a page that is turned, or of another size")
def _turned(draft: Draft, random: Random) -> None:
    draft.page |= random.choice(
        ({b"Rotate": b"90"}, {b"Rotate": b"270"}, {b"MediaBox": b"[0 0 612 792]"}, {b"CropBox": b"[20 20 575 822]"})
    )


@trick("an odd box")
def _box(draft: Draft, random: Random) -> None:
    boxes = (
        {b"UserUnit": b"2"}, {b"UserUnit": b"-1"}, {b"UserUnit": b"(2)"}, {b"Rotate": b"45"}, {b"Rotate": b"450"},
        {b"Rotate": b"-90"}, {b"Rotate": b"90.0"}, {b"CropBox": b"[0 700 595 842]", b"MediaBox": b"[0 0 595 700]"},
        {b"CropBox": b"[0 600 595 600]"}, {b"CropBox": b"[0 600]"}, {b"MediaBox": b"[595 842 0 0]"},
        {b"MediaBox": b"[0 0 0 0]"}, {b"CropBox": b"[9 9 9 (9)]"}, {b"TrimBox": b"[0 700 595 842]"},
        {b"CropBox": b"[-50 -50 900 900]"}, {b"MediaBox": b"[0 0 595 842 9]"}, {b"MediaBox": b"null"},
        {b"CropBox": b"[0 600 595 null]"}, {b"MediaBox": b"[0 0 595 99999]"}, {b"MediaBox": b"<</A 1>>"},
    )  # fmt: skip
    draft.page |= random.choice(boxes)


# Fonts

_BARE = b"/Type/Font/FirstChar 32/LastChar 126"


@trick("a font that is not embedded")
def _font(draft: Draft, random: Random) -> None:
    fonts = (
        b"/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences [52/eight 56/four]>>",
        b"/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences [52/.notdef/space/g999 44/uni0039]>>",
        b"/Subtype/Type1/BaseFont/Symbol", b"/Subtype/Type1/BaseFont/ZapfDingbats/Encoding/WinAnsiEncoding",
        b"/Subtype/TrueType/BaseFont/Odd#20Font", b"/Subtype/Type1/BaseFont/Odd", b"/Subtype/MMType1/BaseFont/Odd",
        b"/Subtype/TrueType/BaseFont/Arial/Widths [%b]" % (b"0 " * 95), b"/Subtype/Type1",
        b"/Subtype/Type1/BaseFont/Helvetica/Widths [%b]" % (b"2000 " * 95), b"/Subtype/Odd/BaseFont/Helvetica",
        b"/Subtype/Type1/BaseFont/Helvetica/Encoding/Odd",
        b"/Subtype/Type1/BaseFont/Helvetica/Encoding/MacExpertEncoding",
        b"/Subtype/Type1/BaseFont/Symbol/Encoding<</Differences [52/five]>>/FontDescriptor<</Flags 4>>",
    )  # fmt: skip
    number = draft.add(b"<<%b%b>>" % (_BARE, random.choice(fonts)))
    draft.resource(b"Font", b"F2", b"%d 0 R" % number)
    draft.draw(text(HIDDEN, 300, font="F2"))


@trick("a composite font that is not embedded")
def _composite(draft: Draft, random: Random) -> None:
    orderings = ((b"Adobe", b"Identity"), (b"Adobe", b"Japan1"), (b"Odd", b"Odd"))
    kind = random.choice((b"CIDFontType0", b"CIDFontType2"))
    inner = b"/Type/Font/Subtype/%b/BaseFont/Odd/CIDSystemInfo<</Registry(%b)/Ordering(%b)/Supplement 0>>/DW %d" % (
        kind, *random.choice(orderings), random.choice((0, 500, 1000)),
    )  # fmt: skip
    map_ = random.choice((b"/Identity-H", b"/Identity-V", b"/Odd-H", b"/UniJIS-UCS2-H"))
    outer = b"<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding%b/DescendantFonts [%d 0 R]>>"
    draft.resource(b"Font", b"F2", b"%d 0 R" % draft.add(outer % (map_, draft.add(b"<<%b>>" % inner))))
    draft.draw(b"BT /F2 36 Tf 60 300 Td <003400380030> Tj ET\n")


@trick("a font of drawings")
def _type3(draft: Draft, random: Random) -> None:
    glyphs = (
        b"500 0 0 0 500 700 d1 1 0 0 rg 0 0 500 700 re f", b"500 0 d0 1 0 0 rg 0 0 500 700 re f", b"0 0 500 700 re f",
        b"500 0 0 0 0 0 d1 0 0 500 700 re f", b"0 0 d0 BT /F3 1 Tf (a) Tj ET", b"500 0 d0 BT /F1 900 Tf (4) Tj ET",
    )  # fmt: skip
    glyph = draft.add(stream(random.choice(glyphs)))
    matrices = (b"[.001 0 0 .001 0 0]", b"[1 0 0 1 0 0]", b"[0 0 0 0 0 0]", b"[.001 0 0 -.001 0 0]", b"null")
    boxes = (b"[0 0 0 0]", b"[0 0 500 700]", b"[0 0 1 1]", b"null")
    names = random.choice((b"/CharProcs<</a %d 0 R>>", b"/CharProcs<</b %d 0 R>>")) % glyph
    resources = random.choice((b"", b"/Resources<</Font<</F1 %d 0 R>>>>" % FONT))
    font = b"<</Type/Font/Subtype/Type3%b%b/FontMatrix %b/FontBBox %b/FirstChar 97/LastChar 97%b/Encoding<<%b>>>>" % (
        names, resources, random.choice(matrices), random.choice(boxes),
        random.choice((b"", b"/Widths [500]", b"/Widths [0]")), random.choice((b"", b"/Differences [97/a]")),
    )  # fmt: skip
    draft.resource(b"Font", b"F3", b"%d 0 R" % draft.add(font))
    draft.draw(text("aaa", 300, font="F3"))


# Filters and images


@honest("a compressed content and an image")
def _compressed(draft: Draft, _random: Random) -> None:
    data = text("Agreement", 700, 24) + text("EUR 48,000") + b"q 100 0 0 100 60 300 cm /I1 Do Q\n"
    image = b"/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode"
    draft.resource(b"XObject", b"I1", b"%d 0 R" % draft.add(stream(zlib.compress(b"\x00\x60\x90\xd0"), image)))
    draft.objects[CONTENT] = stream(zlib.compress(data), b"/Filter/FlateDecode")


@trick("a content by an odd filter")
def _filter(draft: Draft, random: Random) -> None:
    data = covering()
    packed, hexed = zlib.compress(data), data.hex().encode() + b">"
    ways = (
        (packed, b"/Filter/Fl"), (hexed, b"/Filter/AHx"), (packed, b"/Filter [/Fl]"), (hexed, b"/Filter[/Fl/AHx]"),
        (packed, b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 9>>"), (data, b"/Filter/Odd"),
        (packed, b"/Filter/FlateDecode/DecodeParms [null]"), (packed, b"/Filter [/FlateDecode]/DecodeParms<<>>"),
        (packed, b"/Filter/FlateDecode/DP<</Predictor 99>>"), (packed, b"/Filter/Crypt"), (data, b"/Filter []"),
        (packed, b"/Filter/FlateDecode/F(other.bin)"), (b"", b"/F(other.bin)/FFilter/FlateDecode"),
        (packed[:-6], b"/Filter/FlateDecode"), (packed + b"junk", b"/Filter/FlateDecode"), (data, b"/Filter null"),
        (packed, b"/Filter/FlateDecode/DecodeParms<</Predictor 1/Colors 99>>"), (packed, b"/F/FlateDecode"),
        (packed, b"/Filter/F#6cateDecode"), (data, b"/Filter [/Crypt]/DecodeParms [<</Name/Identity>>]"),
        (hexed[:-9] + b"\0\0>" + hexed, b"/Filter/ASCIIHexDecode"),
    )  # fmt: skip
    data, entries = random.choice(ways)
    number = draft.add(stream(data, entries))
    draft.contents = b"[%d 0 R %d 0 R]" % (CONTENT, number)


@trick("an odd image")
def _image(draft: Draft, random: Random) -> None:
    entries = (
        b"/ColorSpace/DeviceGray/Decode [1 0]", b"/ImageMask true/Decode [1 0]/BitsPerComponent 1", b"/ColorSpace/Odd",
        b"/ColorSpace/DeviceRGB", b"/ColorSpace/DeviceGray/Mask [0 0]", b"/ColorSpace/DeviceGray/Mask [255 255]",
        b"/ColorSpace/DeviceGray/SMaskInData 1", b"/ColorSpace/DeviceGray/Alternates [<</Image 8 0 R>>]",
        b"/ColorSpace/DeviceGray/Decode [0 0]", b"/ColorSpace/DeviceGray/Matte [1]",
        b"/ColorSpace[/Indexed/DeviceGray 0 (a)]",
        b"/ColorSpace/DeviceGray/BitsPerComponent 3", b"/ColorSpace/DeviceGray/Width 3", b"/ImageMask 1", b"",
    )  # fmt: skip
    usual = b"/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8"
    data = random.choice((b"\xff\xff\xff\xff", b"\x00\xff\x00\xff", b"\xff"))
    draft.resource(b"XObject", b"I1", b"%d 0 R" % draft.add(stream(data, usual + random.choice(entries))))
    draft.draw(b"q 500 0 0 60 50 540 cm /I1 Do Q\n")


@trick("an inline image")
def _inline(draft: Draft, random: Random) -> None:
    images = (
        b"BI /W 1 /H 1 /BPC 8 /CS /G ID \xff\nEI", b"BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI Q\nEI",
        b"BI /Width 1 /H 1 /BPC 8 /ColorSpace /DeviceGray ID \xff\nEI", b"BI /W 1 /H 1 /IM true ID \x00\nEI",
        b"BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID ff> EI", b"BI /W 1 /H 1 /BPC 8 /CS /G /L 1 ID \xffEI",
        b"BI /W 1 /H 1 /BPC 8 /CS /Odd ID \xff\nEI", b"BI /W 1 /H 1 /BPC 8 /CS /G /F /Odd ID \xff\nEI",
        b"BI /W 4 /H 4 /BPC 8 /CS /G ID \xff EI \xff EI \xff EI \xff\nEI",
    )  # fmt: skip
    draft.draw(b"q 500 0 0 60 50 540 cm %b Q\n" % random.choice(images))


@trick("a form in an odd place")
def _form(draft: Draft, random: Random) -> None:
    entries = (
        b"/Matrix [0 0 0 0 0 0]", b"/Matrix [2 0 0 2]", b"/BBox [0 0 0 0]", b"/BBox [595 842 0 0]", b"/Subtype2/PS",
        b"/Group<</S/Transparency/I true/K true>>", b"/Resources null", b"/Ref<</F(other.pdf)/Page 0>>", b"/FormType 2",
        b"/Length2 0", b"/PS %d 0 R" % PAGE,
    )  # fmt: skip
    base = b"/Type/XObject/Subtype/Form" + random.choice((b"/BBox [0 0 595 842]", b""))
    resources = random.choice((b"", b"/Resources<</Font<</F1 %d 0 R>>>>" % FONT))
    draft.show(stream(covering(), base + resources + random.choice(entries)))
