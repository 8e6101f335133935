"""The revisions of a sealed PDF: the value of each object before and after an update, and the references to it.

A PDF can be prepared for an attack before it is sealed: a page may refer to a content stream that does not exist yet.
An added object must therefore be referenced only where validation data belongs.

"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from io import BytesIO
from typing import NamedTuple

import pikepdf
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from pades.updates.grammar import Dictionary, DisallowedChange, Reference, Scanner, Stream, Update, Value

_END = re.compile(rb"startxref[ \r\n]+(\d{1,10})[ \r\n]+%%EOF(?:\r\n|\r|\n)?\Z")
_MAX_END = 40
_REFERENCE = re.compile(rb"(?<![^\s\[\]<>()/])(\d{1,10}) \d{1,5} R(?![^\s\[\]<>()/])")
_GENERATION_ABOVE_0 = re.compile(rb"(?<!\d)0*(\d{1,10})[\0\s]+0*[1-9]\d{0,4}[\0\s]+R(?![^\0\s\[\]<>()/%])")

TRAILER = 0
"""Number that stands for the trailer among object numbers."""


@dataclass(slots=True)
class Additions:
    """What the updates add: the numbers of new objects, validation data, and timestamps (`Contents`, padded).

    `tokens` are timestamps in the store. `named` are the signatures for which the store has entries.
    """

    numbers: set[int] = field(default_factory=set)
    data: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    timestamps: list[bytes] = field(default_factory=list)
    tokens: list[bytes] = field(default_factory=list)
    named: set[str] = field(default_factory=set)


class Revision:
    """A PDF up to one of its revisions: the sealed one, then one more with each update that is accepted.

    `referrers` maps the number of each added or replaced object to the numbers of the objects that may refer to it.
    """

    def __init__(self, sealed: bytes) -> None:
        self.reader = PdfFileReader(BytesIO(sealed), strict=False)
        ending = _END.search(sealed, max(0, len(sealed) - _MAX_END))
        if ending is None:
            raise DisallowedChange("the sealed revision does not end with startxref and %%EOF, ISO 32000-2, 7.5.5")
        self.startxref = int(ending[1])
        self.has_table = sealed.startswith(b"xref", self.startxref)
        self.trailer = to_dictionary(_as_written(self.reader.trailer.flatten()))
        self._added: dict[Reference, Value | Stream] = {}
        self.referrers: dict[int, set[int]] = defaultdict(set)
        self.additions = Additions()

    @property
    def size(self) -> int:
        """The number above the highest object number."""
        size = self.trailer["Size"]
        if not isinstance(size, int):
            raise DisallowedChange("the trailer of the sealed revision has no Size, ISO 32000-2, 7.5.5")
        return size

    def value(self, identifier: Reference) -> Value:
        """Returns the value of an object that is not a stream."""
        added = self._added.get(identifier)
        if isinstance(added, Stream):
            raise DisallowedChange("a stream replaces an object of another type")
        return _as_written(self._read(identifier)) if added is None else added

    def packet(self, identifier: Reference) -> bytes:
        """Returns the contents of a metadata stream."""
        added = self._added.get(identifier)
        if isinstance(added, Stream):
            return added.data()
        sealed = self._read(identifier)
        if not isinstance(sealed, generic.StreamObject):
            raise DisallowedChange("an object of another type replaces the metadata stream, ISO 32000-2, 14.3.2")
        return bytes(sealed.data)

    def items(self, value: Value | None) -> list[Value]:
        """Returns the items of an array, given directly, by reference, or missing."""
        array = self.value(value) if isinstance(value, Reference) else value
        if array is None:
            return []
        if not isinstance(array, list):
            raise DisallowedChange("a value is not an array")
        return array

    def add(self, update: Update) -> None:
        """Applies `update`: the revision then includes it."""
        self._added.update(update.objects)
        self.startxref = update.startxref
        self.has_table = update.xref is None
        self.trailer = {**self.trailer, **update.trailer}

    def _read(self, identifier: Reference) -> generic.PdfObject:
        reference = generic.Reference(identifier.number, identifier.generation, self.reader)
        value: generic.PdfObject = self.reader.get_object(reference)
        return value


class Pair(NamedTuple):
    """A dictionary before and after an update, and the number of the object that contains it."""

    old: Dictionary
    new: Dictionary
    referrer: int


class Delta:
    """An update compared with the revision before it. Objects that no method has read stay in `unaccounted`."""

    def __init__(self, revision: Revision, update: Update) -> None:
        self.revision = revision
        self.update = update
        self.unaccounted = dict(update.objects)

    def pair(self, old: Value | None, new: Value | None, referrer: int | None) -> Pair:
        """Returns an existing dictionary before and after the update. Raises `DisallowedChange` if it was replaced.

        Only `referrer` may refer to the dictionary.
        """
        if isinstance(old, dict) and isinstance(new, dict) and referrer is not None:
            return Pair(old, new, referrer)
        if not isinstance(old, Reference) or old != new:
            raise DisallowedChange("a dictionary of the sealed revision is replaced by another object")
        before = to_dictionary(self.revision.value(old))
        if old not in self.unaccounted:
            return Pair(before, before, old.number)
        if referrer is not None:
            self.revision.referrers[old.number].add(referrer)
        return Pair(before, to_dictionary(self.unaccounted.pop(old)), old.number)

    def pair_or_new(self, old: Value | None, new: Value | None, referrer: int) -> Pair:
        """Returns a dictionary as `pair` does, but accepts a new one."""
        if old is not None:
            return self.pair(old, new, referrer)
        if isinstance(new, dict):
            return Pair({}, new, referrer)
        return Pair({}, to_dictionary(self.new(new, referrer)), number_of(new))

    def appended(self, old: Value | None, new: Value | None, referrer: int) -> list[Value]:
        """Returns the items appended to an array. Its earlier items must be unchanged."""
        before = self.revision.items(old)
        after = [] if new is None else new
        if isinstance(new, Reference):
            if new != old:
                raise DisallowedChange("an array is replaced by another object")
            if new not in self.unaccounted:
                return []
            self.revision.referrers[new.number].add(referrer)
            array = self.unaccounted.pop(new)
            after, referrer = [] if isinstance(array, Stream) else array, new.number
        if not isinstance(after, list) or after[: len(before)] != before:
            raise DisallowedChange("the first items of an array are changed")
        for one in after[len(before) :]:
            self.revision.referrers[number_of(one)].add(referrer)
        return after[len(before) :]

    def new(self, identifier: Value | None, referrer: int | None) -> Value | Stream:
        """Returns an object with an unused number, to which `referrer` may refer."""
        if not isinstance(identifier, Reference) or identifier.generation or identifier.number < self.revision.size:
            raise DisallowedChange("it reuses an object number, ISO 32000-2, 7.3.10")
        if identifier not in self.unaccounted:
            raise DisallowedChange("it refers to an object that it does not define")
        if referrer is not None:
            self.revision.referrers[identifier.number].add(referrer)
        self.revision.additions.numbers.add(identifier.number)
        return self.unaccounted.pop(identifier)

    def new_or_added(self, identifier: Reference, referrer: int) -> Value | Stream:
        """Returns an object as `new` does, or one that an earlier update has added and this one replaces."""
        if identifier.number not in self.revision.additions.numbers or identifier not in self.unaccounted:
            return self.new(identifier, referrer)
        self.revision.referrers[identifier.number].add(referrer)
        return self.unaccounted.pop(identifier)


def to_dictionary(value: Value | Stream | None) -> Dictionary:
    """Returns `value` if it is a dictionary; raises `DisallowedChange` otherwise."""
    if not isinstance(value, dict):
        raise DisallowedChange("a value is not a dictionary")
    return value


def number_of(identifier: Value | None) -> int:
    """Returns the object number of a reference; raises `DisallowedChange` for another value."""
    if not isinstance(identifier, Reference):
        raise DisallowedChange("a value is not an indirect reference")
    return identifier.number


def expect_same(old: Dictionary, new: Dictionary, *, ignoring: set[str]) -> None:
    """Raises `DisallowedChange` if an entry outside `ignoring` was changed, added or removed."""
    if {k: v for k, v in old.items() if k not in ignoring} != {k: v for k, v in new.items() if k not in ignoring}:
        raise DisallowedChange("it changes dictionary entries of the sealed revision")


def _as_written(value: generic.PdfObject) -> Value:
    """Writes a pyHanko object and reads it with the grammar of updates."""
    if isinstance(value, generic.StreamObject):
        raise DisallowedChange("a stream replaces an object of another type")
    output = BytesIO()
    value.write_to_stream(output)
    return Scanner(output.getvalue()).value()


def check_references(pdf: bytes, allowed: Mapping[int, Set[int]]) -> None:
    """Raises `DisallowedChange` unless each object in `allowed` is referenced by those referrers only, each once."""
    try:
        with pikepdf.open(BytesIO(pdf), attempt_recovery=False, inherit_page_attributes=False) as opened:
            # pikepdf returns numbers and booleans as Python values, which hold no references
            objects = [one for one in opened.objects if isinstance(one, pikepdf.Object)]
            counts: Counter[tuple[int, int]] = Counter()
            for referrer, written in [(TRAILER, opened.trailer.unparse()), *map(_written, objects)]:
                counts.update((int(number), referrer) for number in _REFERENCE.findall(written))
            streams = [one for one in objects if isinstance(one, pikepdf.Stream)]
            packed = [one.read_bytes() for one in streams if one.get("/Type") == "/ObjStm"]
            is_sound = not opened.get_warnings()
    except (pikepdf.PdfError, ValueError, RuntimeError) as error:
        raise DisallowedChange("the updated PDF cannot be parsed completely") from error
    counted = [(number, referrer, count) for (number, referrer), count in counts.items() if number in allowed]
    is_allowed = all(count == 1 and referrer in allowed[number] for number, referrer, count in counted)
    others = {int(number) for part in (pdf, *packed) for number in _GENERATION_ABOVE_0.findall(part)}
    if not is_sound or not is_allowed or others & allowed.keys():
        raise DisallowedChange("an object outside the permitted places refers to an added object")


def _written(one: pikepdf.Object) -> tuple[int, bytes]:
    """Returns the number of an object and the object as written, a stream without its contents."""
    if not isinstance(one, pikepdf.Stream):
        return one.objgen[0], one.unparse(resolved=True)
    entries = pikepdf.Dictionary(dict(one.stream_dict.items()))
    if entries.get("/Type") == "/XRef":  # it has the same references as the trailer
        for key in {"/Root", "/Info"} & set(entries.keys()):
            del entries[key]
    return one.objgen[0], entries.unparse()
