"""Content streams of uploads: balanced, with known operators only (ISO 32000-2, 7.8.2 and annex A).

Readers skip what they do not know in different ways. Unknown operators with their operands, and those without effect,
are replaced by spaces; operators that end what is open are appended.
"""

import re
from collections.abc import Iterator

from application.uploads.content_state import REGULAR, ContentState, Named, Role, names
from application.uploads.inline_picture import AMBIGUOUS, check_inline
from application.uploads.pdf_limits import PdfRefused
from application.uploads.stroke_lengths import StrokeLengths
from application.uploads.text_strings import INNER, SPACES

_STEP = re.compile(
    rb"((?:[" + SPACES + rb"\[\]0-9.+\-]++|/" + REGULAR + rb"*+|\((?:" + INNER + rb")*+\)"
    rb"|<<|>>|<[0-9A-Fa-f" + SPACES + rb"]*+>|%[^\r\n]*+"
    rb"|(?:true|false|null)(?!" + REGULAR + rb"))*+)(" + REGULAR + rb"++)?",
    re.DOTALL,
)  # fmt: skip
"""The operands of one operator, and the operator, or neither where neither can be read."""

_OPERATORS = frozenset(
    b"b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l M m MP n q Q re RG rg ri "
    b"s S sc SC scn SCN sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \" BI ID".split()
)
_END = re.compile(rb"EI(?=[" + SPACES + rb"]|\Z)")
_TEXT_AFTER = re.compile(rb"EI[" + SPACES + rb"][\n\r\t -~]{10}")
_MAX_INLINE = 1_000_000
UNKNOWN = "drawing instructions that readers do not know or skip in different ways"


_SPECIAL = re.compile(rb"\\.|[()%<]", re.DOTALL)
_LINE_END = re.compile(rb"[\r\n]")
_WHITE = b"\0\t\n\x0c\r "
_SEPARATORS = frozenset(bytes([byte]) for byte in b"\0\t\n\x0c\r ()<>[]{}/%")


def plain_content(content: bytes, named: Named, role: Role = Role.PAGE) -> bytes:
    """Returns the content as all readers interpret it; `content` itself if it is plain already.

    `named` is what the resources have. Raises `PdfRefused`.
    """
    written, at = [], 0
    edits = _Edits(content, named, role)
    for start, end, replacement in edits.all():
        written += [content[at:start], replacement]
        at = end
    missing = edits.missing()
    if not written and not missing:
        return content
    return b"".join([*written, content[at:], missing])


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
    """Finds the parts of a content stream to be replaced."""

    def __init__(self, content: bytes, named: Named, role: Role) -> None:
        self._content = content
        self._named = named
        self._state = ContentState(named, role)
        self._strokes = StrokeLengths()

    def missing(self) -> bytes:
        """Returns the operators that end what is open, after `all`."""
        state = self._state
        return b"\nET" * state.in_text + b"\nn" * state.has_path + b"\nQ" * state.depth

    def all(self) -> Iterator[tuple[int, int, bytes]]:
        """Yields start, end and replacement of each part, in order."""
        at, end = 0, len(self._content)
        while at < end:
            step = _STEP.match(self._content, at)
            operator = step[2] if step else None
            if step is None or operator is None:
                stopped = step.end() if step else at
                if stopped < end or (step and step[1].strip(_WHITE) and not _is_comment(step[1])):
                    yield at, min(stopped + 1, end), b" "  # a byte that begins nothing, or operands without operator
                at = stopped + 1
                continue
            replacement = self._replacement(operator, step[1])
            if replacement is not None:
                yield at, step.end(), replacement
            at = step.end()
            if operator == b"ID":
                if self._content[at : at + 2] == b"\r\n":
                    yield at, at + 2, b"\n"  # the data of some readers begin with the line feed
                    at += 1
                elif self._content[at : at + 1].strip(_WHITE):
                    raise PdfRefused(AMBIGUOUS)
                start, at = at + 1, self._end_of_picture(at)
                check_inline(step[1], self._content[start : at - len(b" EI")], self._named.spaces)

    def _replacement(self, operator: bytes, operands: bytes) -> bytes | None:
        """Returns what replaces an operator with its operands; None if it stays."""
        before = self._state.follow(operator, operands) if operator in _OPERATORS else None
        if before is None:
            return b" "
        drawn = self._strokes.plain(operator, operands)
        if before or drawn is not None:
            return before + (operands + operator if drawn is None else drawn)
        return self._marked_content(operands) if operator == b"BDC" else None

    def _marked_content(self, operands: bytes) -> bytes | None:
        given = names(operands)
        if given[:1] != ["/OC"]:
            return None
        is_named = len(given) == 2 and b"<<" not in operands
        return None if is_named and given[1] in self._named.layers else b" /OC BMC"

    def _end_of_picture(self, start: int) -> int:
        """Returns the position after the `EI` of an inline image whose data begin at `start`. Raises `PdfRefused`."""
        limit = min(len(self._content), start + _MAX_INLINE)
        for end in _END.finditer(self._content, start, limit):
            if self._content[end.start() - 1] in _WHITE:
                return end.end()
            if _TEXT_AFTER.match(self._content, end.start()):
                break  # some readers end the picture here, others at the next EI after a space
        raise PdfRefused(AMBIGUOUS)


def _is_comment(operands: bytes) -> bool:
    return not re.sub(rb"%[^\r\n]*", b"", operands).strip(_WHITE)
