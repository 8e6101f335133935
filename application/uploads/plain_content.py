"""Content streams of uploads: balanced, with known operators only (ISO 32000-2, 7.8.2 and annex A).

Readers skip what they do not know in different ways. Unknown operators with their operands, and surplus `Q` and `EMC`,
are replaced by spaces; missing `Q` are appended.
"""

import re
from collections.abc import Callable, Iterator, Set

from application.uploads.pdf_keys import key_set
from application.uploads.pdf_limits import PdfRefused

_SPACES = rb"\0\t\n\x0c\r "
_REGULAR = rb"[^\0\t\n\x0c\r ()<>\[\]{}/%]"
_INNER = rb"[^()\\]|\\.|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*+\))*+\)"
_STEP = re.compile(
    rb"((?:[" + _SPACES + rb"\[\]0-9.+\-]++|/" + _REGULAR + rb"*+|\((?:" + _INNER + rb")*+\)"
    rb"|<<|>>|<[0-9A-Fa-f" + _SPACES + rb"]*+>|%[^\r\n]*+"
    rb"|(?:true|false|null)(?!" + _REGULAR + rb"))*+)(" + _REGULAR + rb"++)?",
    re.DOTALL,
)  # fmt: skip
"""The operands of one operator, and the operator, or neither where neither can be read."""

_OPERATORS = frozenset(
    b"b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l M m MP n q Q re RG rg ri "
    b"s S sc SC scn SCN sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \" BI ID EI".split()
)
_NUMBER = rb"[" + _SPACES + rb"]*+[+-]?+(?:\d++\.?+\d*+|\.\d++)(?![0-9.+\-])"
_TAKERS = {
    0: b"b B b* B* BT ET f F f* h n q Q s S T* W W*", 1: b"g G i j J M Tc TL Tr Ts Tw Tz w", 2: b"d0 l m Td TD",
    3: b"rg RG", 4: b"k K re v y", 6: b"c cm d1 Tm",
}  # fmt: skip
_NUMBERS = {
    operator: re.compile(rb"(?:" + _NUMBER + rb"){%d}[" % count + _SPACES + rb"]*+")
    for count, operators in _TAKERS.items()
    for operator in operators.split()
}
"""The operands of operators that take a fixed count of numbers."""

_COMMENT = re.compile(rb"%[^\r\n]*")
_NAMES = re.compile(rb"/(" + _REGULAR + rb"*)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_END = re.compile(rb"EI(?=[" + _SPACES + rb"]|\Z)")
_TEXT_AFTER = re.compile(rb"EI[" + _SPACES + rb"][\n\r\t -~]{10}")
_LONGEST_INLINE = 1_000_000
_INLINE_NAMES = key_set(
    "BPC BitsPerComponent CS ColorSpace D Decode DP DecodeParms F Filter H Height IM ImageMask I Interpolate Intent "
    "L Length W Width G DeviceGray RGB DeviceRGB CMYK DeviceCMYK Indexed A85 ASCII85Decode AHx ASCIIHexDecode Fl "
    "FlateDecode LZW LZWDecode RL RunLengthDecode CCF CCITTFaxDecode DCT DCTDecode Predictor Colors Columns "
    "EarlyChange K EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1 DamagedRowsBeforeError ColorTransform "
    "AbsoluteColorimetric RelativeColorimetric Saturation Perceptual"
)
"""Keys and names of inline images (8.9.7, 7.4), apart from colour spaces of the resources."""

_AMBIGUOUS = (
    "A small picture in the PDF is written in a way that PDF readers take for different things. Save the PDF again "
    "with another program, and upload that."
)
_ODD_OPERANDS = (
    "The PDF has drawing instructions with invalid numbers, which PDF readers take for different things. Save the PDF "
    "again with another program, and upload that."
)
UNKNOWN = "drawing instructions that readers do not know or skip in different ways"


_SPECIAL = re.compile(rb"\\.|[()%<]", re.DOTALL)
_LINE_END = re.compile(rb"[\r\n]")
_SEPARATORS = frozenset(bytes([byte]) for byte in b"\0\t\n\x0c\r ()<>[]{}/%")


def plain_content(content: bytes, is_layer: Callable[[str], bool], spaces: Set[str] = frozenset()) -> bytes:
    """Returns the content as all readers interpret it; `content` itself if it is plain already.

    `is_layer` returns whether a property list of that name is a layer. `spaces` are the names of the colour spaces.
    Raises `PdfRefused`.
    """
    written, at = [], 0
    edits = _Edits(content, is_layer, spaces)
    for start, end, replacement in edits.all():
        written += [content[at:start], replacement]
        at = end
    if not written and not edits.open_states:
        return content
    return b"".join([*written, content[at:], b"\nQ" * edits.open_states])


def ends_inside_token(part: bytes, following: bytes) -> bool:
    """Returns whether a content stream ends inside a token that the following one continues (7.8.2)."""
    at, depth = 0, 0
    while (found := _SPECIAL.search(part, at)) is not None:
        at = found.end()
        match found[0]:
            case b"(":
                depth += 1
            case b")":
                depth = max(depth - 1, 0)
            case b"%" if not depth:
                ended = _LINE_END.search(part, at)
                if ended is None:
                    return True
                at = ended.end()
            case b"<" if not depth:
                closed = part.find(b">", at)
                if closed < 0:
                    return True
                at = closed + 1
    if depth:
        return True
    return bool(part and following) and part[-1:] not in _SEPARATORS and following[:1] not in _SEPARATORS


class _Edits:
    """Finds the parts of a content stream to be replaced. `open_states`: the `q` without a `Q`, after `all`."""

    def __init__(self, content: bytes, is_layer: Callable[[str], bool], spaces: Set[str]) -> None:
        self._content = content
        self._is_layer = is_layer
        self._spaces = spaces
        self.open_states = 0
        self._marked = 0

    def all(self) -> Iterator[tuple[int, int, bytes]]:
        """Yields start, end and replacement of each part, in order."""
        at, end = 0, len(self._content)
        while at < end:
            step = _STEP.match(self._content, at)
            operator = step[2] if step else None
            if step is None or operator is None:
                stopped = step.end() if step else at
                if stopped < end or (step and step[1].strip(b"\0\t\n\x0c\r ") and not _is_comment(step[1])):
                    yield at, min(stopped + 1, end), b" "  # a byte that begins nothing, or operands without operator
                at = stopped + 1
                continue
            replacement = self._replacement(operator, step[1])
            if replacement is not None:
                yield at, step.end(), replacement
            at = step.end()
            if operator == b"ID":
                if any(name not in _INLINE_NAMES and name not in self._spaces for name in _names(step[1])):
                    raise PdfRefused(_AMBIGUOUS)
                at = self._end_of_picture(at)

    def _replacement(self, operator: bytes, operands: bytes) -> bytes | None:
        """Returns what replaces an operator with its operands; None if it stays."""
        numbers = _NUMBERS.get(operator)
        if numbers and not numbers.fullmatch(operands) and not numbers.fullmatch(_COMMENT.sub(b"", operands)):
            raise PdfRefused(_ODD_OPERANDS)
        match operator:
            case b"q":
                self.open_states += 1
            case b"Q":
                if not self.open_states:
                    return b" "
                self.open_states -= 1
            case b"BMC":
                self._marked += 1
            case b"BDC":
                self._marked += 1
                return self._marked_content(operands)
            case b"EMC":
                if not self._marked:
                    return b" "
                self._marked -= 1
            case b"EI":
                return b" "
        return None if operator in _OPERATORS else b" "

    def _marked_content(self, operands: bytes) -> bytes | None:
        names = _names(operands)
        if names[:1] != ["/OC"]:
            return None
        is_named = len(names) == 2 and b"<<" not in operands
        return None if is_named and self._is_layer(names[1]) else b" /OC BMC"

    def _end_of_picture(self, start: int) -> int:
        """Returns the position after the `EI` of an inline image whose data begin at `start`. Raises `PdfRefused`."""
        limit = min(len(self._content), start + _LONGEST_INLINE)
        for end in _END.finditer(self._content, start, limit):
            if self._content[end.start() - 1] in b"\0\t\n\x0c\r ":
                return end.end()
            if _TEXT_AFTER.match(self._content, end.start()):
                break  # some readers end the picture here, others at the next EI after a space
        raise PdfRefused(_AMBIGUOUS)


def _names(operands: bytes) -> list[str]:
    """Returns the names among operands, without escapes."""
    found = (_ESCAPE.sub(lambda code: bytes.fromhex(code[1].decode()), name) for name in _NAMES.findall(operands))
    return ["/" + name.decode("utf-8", "replace") for name in found]


def _is_comment(operands: bytes) -> bool:
    return not re.sub(rb"%[^\r\n]*", b"", operands).strip(b"\0\t\n\x0c\r ")
