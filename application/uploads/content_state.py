"""The state of a content stream: what may be drawn next, and with what (ISO 32000-2, 8.2, figure 9).

Readers treat instructions that come in another order, take other operands, or name what the resources do not have, in
different ways. `ContentState` refuses them.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from application.uploads.pdf_limits import PdfRefused
from application.uploads.text_strings import INNER, SPACES, Font
from domain.ports.uploads import PRINT_AGAIN

_ODD_ORDER = f"The PDF has drawing instructions in an order that PDF readers take for different things. {PRINT_AGAIN}"
_ODD_OPERANDS = f"The PDF has drawing instructions that PDF readers take for different things. {PRINT_AGAIN}"
_NOT_THERE = f"The PDF draws with fonts or colours that it does not have, which PDF readers replace. {PRINT_AGAIN}"

REGULAR = rb"[^\0\t\n\x0c\r ()<>\[\]{}/%]"
_BLANK = rb"[" + SPACES + rb"]*+"
_NUMBER = _BLANK + rb"[+-]?+(?:\d++\.?+\d*+|\.\d++)(?![0-9.+\-])"
_LENGTH = _BLANK + rb"\+?(?:\d++\.?+\d*+|\.\d++)(?![0-9.+\-])"
_DIGIT = rb"[0-9A-Fa-f][" + SPACES + rb"]*+"
_NAME = _BLANK + rb"/" + REGULAR + rb"++"
_STRING = _BLANK + rb"(?:\((?:" + INNER + rb")*+\)|<[" + SPACES + rb"]*+(?:" + _DIGIT * 2 + rb")*+>)"
_SHAPES = {
    rb"": b"b B b* B* BT ET f F f* h n q Q s S T* W W*",
    _NUMBER: b"g G i M Tc TL Ts Tw Tz",
    _LENGTH: b"w",
    _BLANK + rb"[012]": b"J j",
    _BLANK + rb"[0-7]": b"Tr",
    rb"(?:%b){2}" % _NUMBER: b"d0 l m Td TD",
    rb"(?:%b){3}" % _NUMBER: b"rg RG",
    rb"(?:%b){4}" % _NUMBER: b"k K re v y",
    rb"(?:%b){6}" % _NUMBER: b"c cm d1 Tm",
    rb"(?:%b){1,32}" % _NUMBER: b"sc SC",
    rb"(?:%b){0,32}(?:%b)?+" % (_NUMBER, _NAME): b"scn SCN",
    _BLANK + rb"\[(?:(?=[^\]]*[1-9])(?:%b)++)?+%b\]%b" % (_LENGTH, _BLANK, _LENGTH): b"d",
    _NAME: b"cs CS Do gs ri sh BMC MP",
    _NAME + _NUMBER: b"Tf",
    _STRING: b"Tj '",
    _NUMBER + _NUMBER + _STRING: b'"',
    _BLANK + rb"\[(?:%b|%b)*+%b\]" % (_NUMBER, _STRING, _BLANK): b"TJ",
}
_OPERANDS = {
    operator: re.compile(shape + _BLANK, re.DOTALL)
    for shape, operators in _SHAPES.items()
    for operator in operators.split()
}
"""The operands that operators take."""

_COMMENT = re.compile(rb"%[^\r\n]*")
_VALUE = re.compile(rb"[0-9.+\-]++")
_NAMES = re.compile(rb"/(" + REGULAR + rb"*)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")

_START_PATHS = frozenset(b"m re".split())
_EXTEND_PATHS = frozenset(b"l c v y h".split())
_FILL = frozenset(b"f F f* B B* b b*".split())
_STROKE = frozenset(b"S s B B* b b*".split())
_END_PATHS = _FILL | _STROKE | {b"n"}
_CLIP = frozenset(b"W W*".split())
_SHOW = frozenset(b"Tj TJ ' \"".split())
_IN_TEXT = _SHOW | frozenset(b"Td TD Tm T* ET".split())
_OUT_OF_TEXT = _START_PATHS | _EXTEND_PATHS | _END_PATHS | _CLIP | frozenset(b"q Q cm BT Do sh BI".split())
_NOT_IN_PATHS = frozenset(b"cm BT Do sh BI".split())
_INTERRUPTING = frozenset(b"q Q".split())
_GLYPH = frozenset(b"d0 d1".split())
_NESTING = frozenset(b"q Q BMC BDC EMC".split())
_STENCIL = frozenset({"/IM", "/ImageMask"})
_OTHERS = frozenset(b"Tr BT ET BI ID".split())
_USES = frozenset(b"cs CS Do Tf gs sh".split())
_COLOURS = frozenset(b"sc scn SC SCN".split())
_FILL_MODES, _STROKE_MODES = frozenset({0, 2, 4, 6}), frozenset({1, 2, 5, 6})
_FIRST_CLIPPING_MODE = 4
"""Modes of text (9.3.6)."""


class Role(Enum):
    """What a content stream draws. A page begins with a state of its own, and other content with that of its page.

    A `PATTERN` takes the colour that the page chooses with it, and has none of its own.
    """

    PAGE = auto()
    FORM = auto()
    GLYPH = auto()
    PATTERN = auto()


class Drawn(Enum):
    """An XObject: a form, an image that is painted in the colour of the page, or one with colours of its own."""

    FORM = auto()
    STENCIL = auto()
    PICTURE = auto()


@dataclass(frozen=True, slots=True)
class Space:
    """A colour space. `values`: the numbers of a colour, None if they are unknown; of patterns, those of the base.

    `initial`: the colour that it begins with, if all readers can be given it. `has_colour`: whether one was chosen.
    `samples`: the values of a pixel of an inline picture, 0 if pictures cannot have the space.
    """

    values: int | None
    is_pattern: bool = False
    initial: bytes = b""
    has_colour: bool = False
    samples: int = 0


DEVICE_SPACES = {
    "/DeviceGray": Space(1, initial=b"0"),
    "/DeviceRGB": Space(3, initial=b"0 0 0"),
    "/DeviceCMYK": Space(4, initial=b"0 0 0 1"),
    "/Pattern": Space(0, is_pattern=True),
}
_DEVICE = {
    operator: Space(values, has_colour=True)
    for values, operators in {1: b"g G", 3: b"rg RG", 4: b"k K"}.items()
    for operator in operators.split()
}
_COLOUR_OPERATORS = _DEVICE.keys() | _COLOURS | {b"cs", b"CS", b"ri"}


@dataclass(frozen=True, slots=True)
class Named:
    """What the resources of a content stream name, by kind. Names begin with a slash.

    `layers`: property lists that are layers. `patterns`: whether a pattern takes a colour. `states`: graphics states.
    """

    layers: Set[str] = frozenset()
    spaces: Mapping[str, Space] = field(default_factory=dict)
    patterns: Mapping[str, bool] = field(default_factory=dict)
    shadings: Set[str] = frozenset()
    drawn: Mapping[str, Drawn] = field(default_factory=dict)
    fonts: Mapping[str, Font] = field(default_factory=dict)
    states: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Graphics:
    """What `q` saves: the colours, the font, the mode of text.

    `fill` and `stroke` are None where a form begins, which takes them from what draws it.
    """

    fill: Space | None
    stroke: Space | None
    font: Font | None = None
    mode: int = 0


class ContentState:
    """Follows a content stream, operator by operator. `role` says what the stream draws.

    `depth` counts the `q` without a `Q`. `in_text`: between `BT` and `ET`.
    `has_path`: whether a path is neither painted nor discarded yet.
    """

    def __init__(self, named: Named, role: Role = Role.PAGE) -> None:
        start = _DEVICE[b"g"] if role is Role.PAGE else None
        self._named = named
        self._is_glyph = role is Role.GLYPH
        self._has_no_colour = role is Role.PATTERN
        self._is_first = True
        self._graphics = _Graphics(fill=start, stroke=start)
        self._saved: list[_Graphics] = []
        self._marked = 0
        self.in_text = False
        self.has_path = False
        self._before = b""
        self._in_image = False
        self._is_interrupted = False
        self._has_shown = False

    @property
    def depth(self) -> int:
        return len(self._saved)

    def follow(self, operator: bytes, operands: bytes) -> bytes | None:
        """Returns what is to be written before the operator, most often nothing; None if it has no effect itself.

        Raises `PdfRefused`.
        """
        self._before = b""
        is_effective = self._is_effective(operator, operands)
        return self._before if is_effective else None

    def _check_place(self, operator: bytes, operands: bytes) -> None:
        """Checks that the operator may stand here, with these operands."""
        shape = _OPERANDS.get(operator)
        if shape and not shape.fullmatch(operands) and not shape.fullmatch(_COMMENT.sub(b"", operands)):
            raise PdfRefused(_ODD_OPERANDS)
        if (operator == b"ID") != self._in_image:
            raise PdfRefused(_ODD_ORDER)
        if operator in (_OUT_OF_TEXT if self.in_text else _IN_TEXT):
            raise PdfRefused(_ODD_ORDER)

    def _is_effective(self, operator: bytes, operands: bytes) -> bool:
        self._check_place(operator, operands)
        if operator in _GLYPH:
            return self._follow_glyph(operator)
        self._is_first = False
        if self._has_no_colour and operator in _COLOUR_OPERATORS:
            return False
        self._check_paint(operator, operands)
        if not self._follow_path(operator):
            return False
        if operator in _NESTING:
            return self._nest(operator)
        if operator in _USES:
            return self._use(operator, names(operands)[0])
        if operator in _DEVICE:
            self._set(operator, _DEVICE[operator])
        elif operator in _COLOURS:
            self._set_colour(operator, operands)
        elif operator in _OTHERS:
            self._follow_other(operator, operands)
        return True

    def _follow_glyph(self, operator: bytes) -> bool:
        """Follows the operator that begins a glyph; elsewhere it has no effect."""
        if self._is_glyph and not self._is_first:
            raise PdfRefused(_ODD_ORDER)
        self._is_first = False
        self._has_no_colour = self._has_no_colour or (self._is_glyph and operator == b"d1")
        return self._is_glyph

    def _follow_other(self, operator: bytes, operands: bytes) -> None:
        match operator:
            case b"Tr":
                self._graphics = replace(self._graphics, mode=int(operands))
            case b"BT" | b"ET":
                self._follow_text(operator)
            case b"BI":
                self._in_image = True
            case b"ID":
                self._in_image = False
                self._draw(Drawn.PICTURE if _STENCIL.isdisjoint(names(operands)) else Drawn.STENCIL)

    def _nest(self, operator: bytes) -> bool:
        """Follows the beginning or end of a graphics state or of marked content; returns False for a surplus end."""
        match operator:
            case b"q":
                self._saved.append(self._graphics)
            case b"Q":
                if not self._saved:
                    return False
                self._graphics = self._saved.pop()
            case b"EMC":
                if not self._marked:
                    return False
                self._marked -= 1
            case _:
                self._marked += 1
        return True

    def _follow_path(self, operator: bytes) -> bool:
        """Returns False for a clip by no path."""
        if operator in _START_PATHS:
            self.has_path = True
        elif operator in (_NOT_IN_PATHS if self.has_path else _EXTEND_PATHS):
            raise PdfRefused(_ODD_ORDER)
        elif operator in _END_PATHS:
            if self._is_interrupted and operator != b"n":
                raise PdfRefused(_ODD_ORDER)
            self.has_path = self._is_interrupted = False
        elif operator in _INTERRUPTING:
            self._is_interrupted = self.has_path
        return self.has_path or operator not in _CLIP

    def _check_paint(self, operator: bytes, operands: bytes) -> None:
        """Checks that there is a colour, and a font, to draw with."""
        mode = self._graphics.mode if operator in _SHOW else None
        if operator in _FILL or mode in _FILL_MODES:
            self._require_colour(self._graphics.fill, b"sc")
        if operator in _STROKE or mode in _STROKE_MODES:
            self._require_colour(self._graphics.stroke, b"SC")
        if operator in _SHOW:
            self._show(operands)

    def _show(self, operands: bytes) -> None:
        """Checks that the font has what is shown, and that readers show it in this state."""
        font, self._has_shown = self._graphics.font, True
        if font is None or not font.has_codes(operands):
            raise PdfRefused(_NOT_THERE)
        is_clip = font.is_type3 and self._graphics.mode >= _FIRST_CLIPPING_MODE
        if is_clip or (self._is_glyph and not self._has_no_colour and self._graphics.fill is None):
            raise PdfRefused(_ODD_ORDER)

    def _require_colour(self, space: Space | None, operator: bytes) -> None:
        """Lets the operator choose the initial colour of a space without one, which some readers do not."""
        if space is None or space.has_colour:
            return
        self._require(bool(space.initial))
        self._before += b" %b %b " % (space.initial, operator)
        self._set(operator, replace(space, has_colour=True))

    def _follow_text(self, operator: bytes) -> None:
        self.in_text = operator == b"BT"
        if self.in_text:
            self._has_shown = False
        elif self._graphics.mode >= _FIRST_CLIPPING_MODE and not self._has_shown:
            raise PdfRefused(_ODD_ORDER)  # some readers clip all that follows, others nothing

    def _use(self, operator: bytes, name: str) -> bool:
        """Follows an operator that names a resource."""
        named = self._named
        match operator:
            case b"cs" | b"CS":
                space = named.spaces.get(name) or DEVICE_SPACES.get(name)
                if space is None:
                    raise PdfRefused(_NOT_THERE)
                self._set(operator, space)
            case b"Tf":
                self._require(name in named.fonts)
                self._graphics = replace(self._graphics, font=named.fonts[name])
            case b"Do":
                if name in named.drawn:
                    self._draw(named.drawn[name])
                return name in named.drawn
            case b"sh":
                if self._has_no_colour:
                    raise PdfRefused(_ODD_ORDER)
                return name in named.shadings
            case b"gs":
                return name in named.states
        return True

    def _draw(self, drawn: Drawn) -> None:
        """Checks that all readers draw an XObject or an inline image alike in the present state."""
        if drawn is Drawn.PICTURE:
            if self._has_no_colour:
                raise PdfRefused(_ODD_ORDER)
            return
        self._require_colour(self._graphics.fill, b"sc")
        self._require_colour(self._graphics.stroke, b"SC")
        fill = self._graphics.fill
        has_pattern = drawn is Drawn.STENCIL and fill is not None and fill.is_pattern
        if has_pattern or self._graphics.mode >= _FIRST_CLIPPING_MODE:
            raise PdfRefused(_ODD_ORDER)

    def _require(self, is_there: bool) -> None:
        if not is_there:
            raise PdfRefused(_NOT_THERE)

    def _set(self, operator: bytes, space: Space) -> None:
        if operator.isupper():
            self._graphics = replace(self._graphics, stroke=space)
        else:
            self._graphics = replace(self._graphics, fill=space)

    def _set_colour(self, operator: bytes, operands: bytes) -> None:
        space = self._graphics.stroke if operator.isupper() else self._graphics.fill
        chosen = names(operands)
        if space is None or space.is_pattern != bool(chosen):
            raise PdfRefused(_ODD_ORDER)
        wanted = space.values
        if chosen:
            self._require(chosen[0] in self._named.patterns)
            wanted = space.values if self._named.patterns[chosen[0]] else 0
        given = len(_VALUE.findall(_NAMES.sub(b" ", _COMMENT.sub(b"", operands))))
        if wanted is not None and given != wanted:
            raise PdfRefused(_ODD_OPERANDS)
        self._set(operator, replace(space, has_colour=True))


def names(operands: bytes) -> list[str]:
    """Returns the names among operands, without escapes."""
    found = (_ESCAPE.sub(lambda code: bytes.fromhex(code[1].decode()), name) for name in _NAMES.findall(operands))
    return ["/" + name.decode("utf-8", "replace") for name in found]
