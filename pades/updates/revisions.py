"""A sealed PDF as it grows: what each object was in one revision, and what an update makes of it."""

import re
from collections import defaultdict
from io import BytesIO
from typing import NamedTuple

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from pades.updates.grammar import Stream, Update
from pades.updates.syntax import Dictionary, ForeignAddition, Reference, Scanner, Value

_END = re.compile(rb"startxref[ \r\n]+(\d{1,10})[ \r\n]+%%EOF(?:\r\n|\r|\n)?\Z")
_LONGEST_END = 40


class Revision:
    """A PDF up to one of its revisions: first the sealed one, then with each update that was found to be evidence.

    `holders`: by the number of each object that was added or replaced, the numbers of those that may refer to it.
    """

    def __init__(self, sealed: bytes) -> None:
        self._reader = PdfFileReader(BytesIO(sealed), strict=False)
        ending = _END.search(sealed, max(0, len(sealed) - _LONGEST_END))
        if ending is None:
            raise ForeignAddition("what was sealed does not end as a PDF does")
        self.startxref = int(ending[1])
        self.has_table = sealed.startswith(b"xref", self.startxref)
        self.trailer = to_dictionary(_as_written(self._reader.trailer.flatten()))
        self._added: dict[Reference, Value | Stream] = {}
        self.holders: dict[int, set[int]] = defaultdict(set)

    @property
    def size(self) -> int:
        """No object has this number or a higher one."""
        size = self.trailer["Size"]
        if not isinstance(size, int):
            raise ForeignAddition("what was sealed does not say how many objects it has")
        return size

    def value(self, identifier: Reference) -> Value:
        """The object, which is no stream."""
        found = self._added.get(identifier)
        if isinstance(found, Stream):
            raise ForeignAddition("a stream stands in place of something else")
        return _as_written(self._read(identifier)) if found is None else found

    def packet(self, identifier: Reference) -> bytes:
        """What a stream of metadata holds."""
        found = self._added.get(identifier)
        if isinstance(found, Stream):
            return found.data()
        sealed = self._read(identifier)
        if not isinstance(sealed, generic.StreamObject):
            raise ForeignAddition("something else stands in place of the metadata")
        return bytes(sealed.data)

    def items(self, value: Value | None) -> list[Value]:
        """The items of an array, which may be missing, or stand in an object of its own."""
        found = self.value(value) if isinstance(value, Reference) else value
        if found is None:
            return []
        if not isinstance(found, list):
            raise ForeignAddition("something else stands in place of a list")
        return found

    def add(self, update: Update) -> None:
        """Goes on to the next revision."""
        self._added.update(update.objects)
        self.startxref = update.startxref
        self.trailer = {**self.trailer, **update.trailer}

    def _read(self, identifier: Reference) -> generic.PdfObject:
        wanted = generic.Reference(identifier.number, identifier.generation, self._reader)
        found: generic.PdfObject = self._reader.get_object(wanted)
        return found


class Pair(NamedTuple):
    """A dictionary before an update and after it, and the number of the object that it stands in."""

    old: Dictionary
    new: Dictionary
    holder: int


class Delta:
    """An update over the revision before it. Whatever is asked for is taken out of what is `left` of the update."""

    def __init__(self, revision: Revision, update: Update) -> None:
        self.revision = revision
        self.update = update
        self.left = dict(update.objects)

    def pair(self, old: Value | None, new: Value | None, holder: int | None) -> Pair:
        """A dictionary that was there before, in the same place. Only `holder` may refer to its object, if it is given.

        Raises:
            ForeignAddition: another one was put in its place.
        """
        if isinstance(old, dict) and isinstance(new, dict) and holder is not None:
            return Pair(old, new, holder)
        if not isinstance(old, Reference) or old != new:
            raise ForeignAddition("a part of the document is put in place of another")
        before = to_dictionary(self.revision.value(old))
        if old not in self.left:
            return Pair(before, before, old.number)
        if holder is not None:
            self.revision.holders[old.number].add(holder)
        return Pair(before, to_dictionary(self.left.pop(old)), old.number)

    def pair_or_new(self, old: Value | None, new: Value | None, holder: int) -> Pair:
        """As `pair`, of a dictionary that may be new."""
        if old is not None:
            return self.pair(old, new, holder)
        if isinstance(new, dict):
            return Pair({}, new, holder)
        return Pair({}, to_dictionary(self.new(new, holder)), number_of(new))

    def appended(self, old: Value | None, new: Value | None, holder: int) -> list[Value]:
        """What is new at the end of an array, whose beginning must be as it was."""
        before = self.revision.items(old)
        after = [] if new is None else new
        if isinstance(new, Reference):
            if new != old:
                raise ForeignAddition("a list is put in place of another")
            if new not in self.left:
                return []
            self.revision.holders[new.number].add(holder)
            held = self.left.pop(new)
            after, holder = [] if isinstance(held, Stream) else held, new.number
        if not isinstance(after, list) or after[: len(before)] != before:
            raise ForeignAddition("a list does not begin as it did")
        for one in after[len(before) :]:
            self.revision.holders[number_of(one)].add(holder)
        return after[len(before) :]

    def new(self, identifier: Value | None, holder: int | None) -> Value | Stream:
        """An object that has a number of its own, and to which `holder` may refer."""
        if not isinstance(identifier, Reference) or identifier.generation or identifier.number < self.revision.size:
            raise ForeignAddition("it uses the number of another object")
        if identifier not in self.left:
            raise ForeignAddition("it names an object that is not there")
        if holder is not None:
            self.revision.holders[identifier.number].add(holder)
        return self.left.pop(identifier)


def to_dictionary(value: Value | Stream | None) -> Dictionary:
    """`value`, if it is a dictionary."""
    if not isinstance(value, dict):
        raise ForeignAddition("something else stands in place of a dictionary")
    return value


def number_of(identifier: Value | None) -> int:
    """The number of the object that a reference leads to."""
    if not isinstance(identifier, Reference):
        raise ForeignAddition("something else stands in place of a reference")
    return identifier.number


def demand_same(old: Dictionary, new: Dictionary, *, but: set[str]) -> None:
    """Raises `ForeignAddition` if an entry was changed, added or taken away, other than those of `but`."""
    if {k: v for k, v in old.items() if k not in but} != {k: v for k, v in new.items() if k not in but}:
        raise ForeignAddition("it changes the document")


def _as_written(found: generic.PdfObject) -> Value:
    """A value as the library would write it, read as updates are."""
    if isinstance(found, generic.StreamObject):
        raise ForeignAddition("a stream stands in place of something else")
    output = BytesIO()
    found.write_to_stream(output)
    return Scanner(output.getvalue()).value()
