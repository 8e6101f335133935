"""Any document that a client may send: every kind of block, every kind of text, lengths that hurt."""

from hypothesis import strategies as st

from domain.texts.blank import is_blank
from layout.schema.block_document import BlockDocument
from tests.layout.documents import document
from tests.layout.pictures import PICTURES

Written = dict[str, object]

_PLAIN = ["", "a", "Agreement", "größer", "Łódź", "Ελλάδα", "Договор", "(x)", "\\", "€ 48,000", "x" * 120, "Việt"]
_SHAPED = [
    "שלום",
    "العقد",
    "क्षत्रिय",
    "สวัสดี" * 9,
    "日本語。「中文」" * 9,
    "한국어",
    "👨‍👩‍👧🇳🇴",
    "x\u0302",
    "\u2067ב\u2069",
]
_WORDS = st.sampled_from([*_PLAIN, *_SHAPED])
_ODD = st.text(st.characters(codec="utf-8"), max_size=30)
_RECIPIENT = st.sampled_from(["client", "client", "client", "consultant", "consultant", "nobody"])
_ENDLESS = st.integers(300, 3000).map(lambda count: "word " * count)
"""From less than a page to several."""


def texts(words: int = 30) -> st.SearchStrategy[str]:
    """Never blank; ordinary words with spaces and newlines between, sometimes anything at all."""
    gaps = st.sampled_from([" ", " ", "\n", "  "])
    joined = st.builds(lambda gap, parts: gap.join(parts), gaps, st.lists(_WORDS, max_size=words))
    return st.one_of(joined, joined, joined, _ODD).map(lambda text: "x" if is_blank(text) else text)


def _block(kind: str, **members: st.SearchStrategy[object]) -> st.SearchStrategy[Written]:
    return st.fixed_dictionaries({"type": st.just(kind), **members})


_HEADER = st.one_of(
    st.none(), st.fixed_dictionaries({"title": texts(3)}, optional={"subtitle": texts(8).map(lambda text: text[:200])})
)
_RUN = st.fixed_dictionaries(
    {"text": st.one_of(texts(3), st.sampled_from([" ", "\n", "\u0301", "\u200d", "\r"]))},
    optional={
        "bold": st.booleans(),
        "italic": st.booleans(),
        "underline": st.booleans(),
        "link": st.sampled_from(["https://example.com/a?b=c#d", "mailto:ada@example.com", "https://ä.example/ß"]),
    },
)
_CLAUSE = {
    "level": st.integers(1, 4),
    "id": st.sampled_from(["one", "two", "three"]),
}
_REFERENCE = st.fixed_dictionaries({"ref": st.sampled_from(["one", "two", "three", "none"])})
_RUNS = st.lists(st.one_of(*[_RUN] * 8, _REFERENCE), min_size=1, max_size=12).map(lambda runs: [{"text": "x"}, *runs])


def content(text: st.SearchStrategy[str], longest: int = 100_000) -> st.SearchStrategy[object]:
    """A string, or runs of at most so many characters."""
    runs = _RUNS.filter(lambda runs: sum(len(run.get("text", "")) for run in runs) <= longest)
    return st.one_of(text, text, runs)


_PARAGRAPH = st.fixed_dictionaries(
    {"type": st.just("paragraph"), "text": content(st.one_of(texts(), texts(), _ENDLESS))},
    optional={
        "fontSize": st.floats(7, 24),
        "bold": st.booleans(),
        "muted": st.booleans(),
        "align": st.sampled_from(["left", "center", "right"]),
    },
)
_NUMBERED = st.builds(
    lambda block, clause: block | clause,
    _PARAGRAPH,
    st.fixed_dictionaries({"number": st.just(value=True)}, optional=_CLAUSE),
)
_DATE_FORMAT = st.sampled_from(["DD/MM/YYYY", "DD/MM/YY", "MM/DD/YYYY", "MM/DD/YY", "YYYY-MM-DD", "MM/YYYY", "MM/YY"])
_TYPED = ["text", "multilineText", "number", "email", "auMobile"]
_WITHOUT_HINT = {"initials", "checkbox", "radio"}


def _options(least: int) -> st.SearchStrategy[object]:
    option = st.one_of(*[texts(6)] * 9, _ENDLESS)
    return st.lists(option, min_size=least, max_size=20, unique_by=lambda text: " ".join(text.split()))


def _input(types: list[str], **optional: st.SearchStrategy[object]) -> st.SearchStrategy[Written]:
    needed = {"options": optional.pop("options")} if types in (["radio"], ["dropdown"]) else {}
    return st.fixed_dictionaries(
        {
            "fieldType": st.sampled_from(types),
            "label": st.one_of(*[texts(5)] * 7, _ENDLESS),
            "recipient": _RECIPIENT,
            **needed,
        },
        optional={
            "name": st.from_regex(r"\A[A-Za-z0-9_-]{1,8}\Z"),
            "required": st.booleans(),
            **({} if types[0] in _WITHOUT_HINT else {"placeholder": texts(3)}),
            **optional,
        },
    )


_INPUT = st.one_of(
    _input(_TYPED),
    _input(["initials"]),
    _input(["date"], dateFormat=_DATE_FORMAT),
    _input(["checkbox"], options=_options(1)),
    _input(["radio"], options=_options(2)),
    _input(["dropdown"], options=_options(2)),
)
_FIELD = _INPUT.map(lambda members: {"type": "field", **members})
_LIST = _block("bulletList", items=st.lists(content(st.one_of(*[texts(12)] * 5, _ENDLESS)), min_size=1, max_size=50))
_ROW = _block("fieldRow", fields=st.lists(_INPUT, min_size=2, max_size=3))
_IMAGE_ID = st.sampled_from([*PICTURES, *PICTURES, "gone"])
_IMAGE = st.fixed_dictionaries(
    {"type": st.just("image"), "fileId": _IMAGE_ID},
    optional={"width": st.floats(20, 483), "align": st.sampled_from(["left", "center", "right"])},
)
_LOGO = st.fixed_dictionaries({"fileId": _IMAGE_ID}, optional={"width": st.floats(20, 130)})
_COLOUR = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
_THEME = st.fixed_dictionaries(
    {},
    optional={
        "headerStyle": st.sampled_from(["line", "band"]),
        "primaryColor": _COLOUR,
        "accentColor": _COLOUR,
        "textColor": _COLOUR,
        "bandTextColor": _COLOUR,
    },
)
BLOCKS: st.SearchStrategy[Written] = st.one_of(
    _block("heading", text=content(texts(20).map(lambda text: text[:500]), longest=500)),
    _PARAGRAPH,
    _NUMBERED,
    st.builds(lambda block, style: block | {"style": style}, _LIST, st.sampled_from(["number", "letter"])),
    _LIST,
    _IMAGE,
    _FIELD,
    _ROW,
    _block("spacer", height=st.floats(1, 600)),
    st.fixed_dictionaries({"type": st.just("pageBreak")}, optional={"header": _HEADER}),
    _block("pageBreak", header=_HEADER, headerScope=st.sampled_from(["page", "section"])),
    _block("signatureBlock", label=texts(5).map(lambda text: text[:100]), recipient=_RECIPIENT),
)


@st.composite
def documents(draw: st.DrawFn) -> BlockDocument:
    members: Written = {"title": draw(texts(3))}
    if draw(st.booleans()):
        members |= {"subtitle": draw(texts(10))[:200], "footerLabel": draw(texts(6))}
    members |= draw(st.fixed_dictionaries({}, optional={"logo": _LOGO, "theme": _THEME}))
    keeps = st.fixed_dictionaries({}, optional={"keepTogether": st.booleans(), "keepWithNext": st.booleans()})
    blocks = draw(st.lists(st.builds(lambda block, kept: block | kept, BLOCKS, keeps), min_size=1, max_size=20))
    if draw(st.integers(0, 9)) == 9:
        blocks.append({"type": "paragraph", "text": "for {{{client.name}}}"})
    return document(*blocks, **members)
