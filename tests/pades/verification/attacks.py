"""A grammar of attacks on sealed PDFs: whatever an incremental update can hold, well formed or not.

An attack is an update that holds evidence, as a genuine one does, or nothing at first, and in which a few things are
done: entries are put into objects, old or new, taken away or written otherwise; new objects are added under numbers of
every kind, and named where readers would show them; the update is written in one of the ways that PDF knows.
"""

import re
from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests.pades.verification.incremental_updates import Form, Written, usual_form, with_update
from tests.pades.verification.prepared_documents import DANGLING, Base, base, certificate, drawing_certificate

_KEYS = b"""
    AA AF AP AS Annots A Border BBox BS ByteRange C CA Certs Cert Collection Contents CropBox CRLs DA DR DSS DV Dest
    Dests Encrypt Extensions F FT Ff Fields Filter Font Group ID Info Kids Lang Length MK MediaBox Metadata N Names
    NeedAppearances NeedsRendering OC OCGs OCProperties OCSPs OpenAction Outlines P PageLabels PageLayout PageMode
    Pages Parent Perms Popup Q RV Rect Resources Root Rotate SV SigFlags StructParent StructTreeRoot Subtype T TS TU
    Threads Title Trans Type URI UserUnit V VRI Version ViewerPreferences X XFA XObject #41P A#50
""".split()
_NUMBERS = (b"0", b"1", b"-1", b"4", b"90", b"132", b"0.5", b"9e9")
_NAMES = (b"/N", b"/Off", b"/On", b"/Widget", b"/Annot", b"/FreeText", b"/Sig", b"/Tx", b"/Btn", b"/Page", b"/2.0")
_TYPES = (b"/DSS", b"/DocTimeStamp", b"/XRef", b"/ObjStm", b"/FlateDecode")
_STRINGS = (b"()", b"(9000000 EUR)", b"<39>", b"(/Helv 12 Tf)")
_ARRAYS = (b"[]", b"[0 0 0 0]", b"[0 0 0.0 0]", b"[0 0 200 50]", b"[60 400 260 460]", b"[null null null null]")
_DICTIONARIES = (
    b"<<>>",
    b"<</N 99 0 R>>",
    b"<</S/JavaScript/JS(app.alert\\(1\\))>>",
    b"<</S/URI/URI(http://e.example)>>",
    b"<</Helv<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>",
)
_KEYWORDS = (b"null", b"true", b"false")
_SCALARS = (*_KEYWORDS, *_NUMBERS, *_NAMES, *_TYPES, *_STRINGS, *_ARRAYS, *_DICTIONARIES)
_PLACES = (b"/Annots", b"/Fields", b"/Kids", b"/Certs", b"/CRLs", b"/OCSPs", b"/Contents", b"/OCGs", b"/OFF", b"/Names")
_NOISE = (
    b"% a comment\n",
    b"\n \r\n",
    b"%%EOF\n",
    b"%PDF-1.7\n",
    b"junk\n",
    b"\0\0\0",
    b"\f",
    b"PK\x05\x06",
    b"9 0 obj\n<</Type/Page>>\nendobj\n",
    b"24 0 obj\n<</Length 0>>stream\n\nendstream\nendobj\n",
    b"startxref\n0\n%%EOF\n",
    b"trailer\n<</Root 9 0 R>>\n",
)
_TOKEN = b"<3003020105>"
_RANGE = b"/ByteRange [**********.**********.**********.**********]"
_DRAWN = b"1 0 0 rg 60 400 200 60 re f BT /F1 40 Tf 60 400 Td (9000000 EUR) Tj ET"


@dataclass
class Attack:
    """What is to be appended to `base`. `told` says in words what was done, for whoever reads a failure."""

    base: Base
    objects: dict[int, bytes] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def definition(self, number: int) -> bytes:
        """An object as the update has it so far, or as it was."""
        return self.objects.get(number, self.base.objects.get(number, b"<<>>"))


class Attacked:
    """A sealed PDF, what became of it, and in words how, which is all that a report of a failure shows."""

    def __init__(self, base: Base, pdf: bytes, told: str) -> None:
        self.base, self.pdf, self.told = base, pdf, told

    def __repr__(self) -> str:
        return self.told


@st.composite
def attacks(draw: st.DrawFn) -> Attacked:
    """A sealed PDF, what becomes of it, and in words how."""
    attack = Attack(base(is_prepared=draw(st.booleans()), is_raised=draw(st.booleans())))
    for begin in draw(st.sampled_from(((), (_add_evidence,), (_add_timestamp,), (_add_timestamp, _add_evidence)))):
        begin(draw, attack)
    for _ in range(draw(st.sampled_from((0, 0, 1, 1, 2, 3) if attack.objects else (1, 2, 3)))):
        draw(st.sampled_from((_edit, _edit, _take_away, _add, _add_and_name, _spell)))(draw, attack)
    update = draw(_updates(attack))
    pdf = _with_range(attack.base.pdf, with_update(attack.base.pdf, update))
    return Attacked(attack.base, pdf, f"{attack.told} {update}")


def _with_range(before: bytes, after: bytes) -> bytes:
    """The file with timestamps that say truly what they cover."""
    start = after.find(_TOKEN, len(before))
    end = start + len(_TOKEN)
    covered = b"/ByteRange [%010d %010d %010d %010d]" % (0, start, end, len(after) - end)
    return after[: len(before)] + after[len(before) :].replace(_RANGE, covered)


@st.composite
def _updates(draw: st.DrawFn, attack: Attack) -> Written:
    """The ways to write it; most of the time a usual one, so that what is in it decides."""
    usual = usual_form(attack.base.pdf)
    if draw(st.integers(0, 3)):
        return Written(attack.objects, usual)
    numbers = sorted({*attack.base.objects, *attack.objects})
    return Written(
        attack.objects,
        draw(st.sampled_from(Form)),
        free=tuple(draw(st.lists(st.sampled_from(numbers), max_size=1))),
        entries=draw(st.one_of(st.just(b""), _entry(attack))),
        noise=(draw(st.integers(0, 3)), draw(st.sampled_from((b"", *_NOISE)))),
        generation=draw(st.sampled_from((0, 0, 0, 1))),
        ends=draw(st.sampled_from((b"", b"", b"\n", b"%%EOF\n", b"% more\n"))),
        unlisted=frozenset(draw(st.lists(st.sampled_from(numbers), max_size=1))),
    )


def _add_evidence(draw: st.DrawFn, attack: Attack) -> None:
    """What a genuine update holds: a certificate in the store. It may have a number that is in use or was named."""
    first, root = attack.base.size, attack.base.numbers["root"]
    store = attack.base.numbers.get("store", first + 1)
    number = draw(st.sampled_from((first, first, first + 9, DANGLING)) | st.sampled_from(sorted(attack.base.objects)))
    held = draw(st.sampled_from((certificate(), certificate(), drawing_certificate(), certificate() + _DRAWN)))
    attack.objects[number] = _stream(b"", held)
    named = b"/Certs [ %d 0 R" % number
    if store in attack.base.objects:
        attack.objects[store] = attack.base.objects[store].replace(b"/Certs [", named)
    else:
        attack.objects[store] = b"<<%b ]>>" % named
        attack.objects[root] = _with_entry(attack.definition(root), b"/DSS %d 0 R" % store)
    attack.told.append(f"evidence as {number}")


def _add_timestamp(draw: st.DrawFn, attack: Attack) -> None:
    """What a genuine update holds: a document timestamp in a field of its own, which may have entries of its own."""
    field = attack.base.size + draw(st.sampled_from((2, 2, 2, DANGLING - attack.base.size)))
    page, form = attack.base.numbers["page"], attack.base.numbers["form"]
    entries = draw(st.one_of(st.just(b""), _entry(attack)))
    attack.objects[field] = _field(page, b"/V %d 0 R%b" % (field + 1, entries))
    attack.objects[field + 1] = _timestamp(draw(st.one_of(st.just(b""), st.just(b""), _entry(attack))))
    for holder, key in ((page, b"/Annots"), (form, b"/Fields")):
        written = attack.definition(holder)
        indirect = re.search(key + rb" (\d+) 0 R", written)
        if indirect:
            number = int(indirect[1])
            attack.objects[number] = attack.definition(number).rstrip(b" ]") + b" %d 0 R ]" % field
        else:
            opened = written.index(b"]", written.index(key))
            attack.objects[holder] = written[:opened] + b"%d 0 R " % field + written[opened:]
    attack.told.append(f"timestamp in {field}: {entries!r}")


def _edit(draw: st.DrawFn, attack: Attack) -> None:
    """Puts entries into an object, at its begin, its end, or into a dictionary inside it."""
    number = draw(_numbers(attack))
    entry, at = draw(_entry(attack)), draw(st.integers(0, 2))
    attack.objects[number] = _with_entry(attack.definition(number), entry, at)
    attack.told.append(f"into {number}: {entry!r}")


def _take_away(draw: st.DrawFn, attack: Attack) -> None:
    """Takes an entry away by calling it otherwise, or changes a digit or a letter."""
    number = draw(_numbers(attack))
    written = attack.definition(number)
    places = [found.start() for found in re.finditer(rb"/[A-Z]|\d", written.partition(b"stream\n")[0])]
    if places:
        at = draw(st.sampled_from(places))
        at += written[at : at + 1].count(b"/")
        attack.objects[number] = written[:at] + draw(st.sampled_from((b"7", b"Z", b""))) + written[at + 1 :]
        attack.told.append(f"changed in {number} at {at}")


def _spell(draw: st.DrawFn, attack: Attack) -> None:
    """Writes an object as it was, or with other space."""
    number = draw(_numbers(attack))
    head, mark, rest = attack.definition(number).partition(b"stream\n")
    space = draw(st.sampled_from((b" ", b"\n", b"\r\n", b" % a comment\n", b"\0", b"\t")))
    attack.objects[number] = head.replace(b" ", space, draw(st.integers(0, 3))) + mark + rest
    attack.told.append(f"spelled {number} with {space!r}")


def _add(draw: st.DrawFn, attack: Attack) -> int:
    """An object under a number that is new, in use, or named already although there is no such object."""
    number = draw(st.one_of(st.integers(attack.base.size, attack.base.size + 4), st.just(DANGLING), _numbers(attack)))
    entries = b"".join(draw(st.lists(_entry(attack), max_size=3)))
    page = attack.base.numbers["page"]
    drawn = b"/Type/XObject/Subtype/Form/BBox [0 0 595 842]"
    square = b"/Type/Annot/Subtype/Square/Rect [60 400 260 460]/IC [1 0 0]/F 4"
    text = b"/Type/Annot/Subtype/FreeText/DA(/Helv 40 Tf)/Contents(9000000)/Rect [60 400 260 460]"
    kinds = {
        "field": _field(page, entries),
        "annotation": b"<<%b%b>>" % (square, entries),
        "free text": b"<<%b%b>>" % (text, entries),
        "form": _stream(drawn + entries, _DRAWN),
        "content": _stream(entries, _DRAWN),
        "evidence": _stream(entries, certificate()),
        "dictionary": b"<<%b>>" % entries,
        "array": b"[%b]" % draw(_values(attack)),
        "timestamp": _timestamp(entries),
    }
    kind = draw(st.sampled_from(sorted(kinds)))
    attack.objects[number] = kinds[kind]
    attack.told.append(f"{kind} as {number}: {entries!r}")
    return number


def _add_and_name(draw: st.DrawFn, attack: Attack) -> None:
    """A new object, named in one or two of the lists that readers go by."""
    named = b"%d %d R" % (_add(draw, attack), draw(st.sampled_from((0, 0, 0, 1))))
    for _ in range(draw(st.integers(1, 2))):
        holder = draw(_numbers(attack))
        place = draw(st.sampled_from(_PLACES))
        written = attack.definition(holder)
        opened = re.search(re.escape(place) + rb"\s*\[", written)
        if opened and draw(st.booleans()):
            written = written[: opened.end()] + b" " + named + written[opened.end() :]
        elif written.startswith(b"["):
            written = written[:-1] + named + b" ]"
        else:
            written = _with_entry(written, b"%b [%b]" % (place, named))
        attack.objects[holder] = written
        attack.told.append(f"{named!r} in {place!r} of {holder}")


def _numbers(attack: Attack) -> st.SearchStrategy[int]:
    """Objects to do something to: those that matter, and any."""
    return st.one_of(
        st.sampled_from(sorted({number for key, number in attack.base.numbers.items() if key != "size"})),
        st.sampled_from(sorted({*attack.base.objects, *attack.objects})),
    )


def _values(attack: Attack) -> st.SearchStrategy[bytes]:
    """Values, direct and indirect; those that are named may be missing."""
    named = st.integers(0, attack.base.size + 5) | st.just(DANGLING)
    references = st.builds(
        lambda number, generation: b"%d %d R" % (number, generation), named, st.sampled_from((0, 0, 0, 1))
    )
    simple = st.sampled_from(_SCALARS) | references
    return st.one_of(
        simple,
        st.builds(lambda items: b"[%b]" % b" ".join(items), st.lists(simple, max_size=4)),
        st.builds(lambda key, value: b"<</%b %b>>" % (key, value), st.sampled_from(_KEYS), simple),
    )


def _entry(attack: Attack) -> st.SearchStrategy[bytes]:
    return st.builds(lambda key, value: b"/%b %b" % (key, value), st.sampled_from(_KEYS), _values(attack))


def _with_entry(definition: bytes, entry: bytes, at: int = 0) -> bytes:
    head, mark, rest = definition.partition(b"stream\n")
    if at == 1 and b">>" in head:
        cut = head.rindex(b">>")
        return head[:cut] + entry + b" " + head[cut:] + mark + rest
    opened = [found.end() for found in re.finditer(rb"<<", head)]
    if not opened:
        return definition
    cut = opened[-1 if at == 2 else 0]
    return head[:cut] + entry + b" " + head[cut:] + mark + rest


def _field(page: int, entries: bytes) -> bytes:
    """A field as timestamps have it."""
    usual = b"/FT/Sig/Type/Annot/Subtype/Widget/F 132/T(Timestamp9)/Rect [0 0 0 0]"
    return b"<<%b/P %d 0 R%b>>" % (usual, page, entries)


def _timestamp(entries: bytes) -> bytes:
    """A signature dictionary as timestamps have it. What is in it is DER, but no token."""
    usual = b"/Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/ETSI.RFC3161"
    return b"<<%b/Contents %b%b%b>>" % (usual, _TOKEN, _RANGE, entries)


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (entries, len(data), data)
