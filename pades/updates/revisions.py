"""A sealed PDF as it grows: what each object was in one revision, and what an update makes of it."""

import re
from collections import defaultdict
from io import BytesIO
from typing import NamedTuple

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from pades.updates.grammar import Stream, Update
from pades.updates.syntax import Dictionary, DisallowedChange, Reference, Scanner, Value

_END = re.compile(rb"startxref[ \r\n]+(\d{1,10})[ \r\n]+%%EOF(?:\r\n|\r|\n)?\Z")
_LONGEST_END = 40


class Revision:
    """A PDF up to one of its revisions: first the sealed one, then with each update that was found to be evidence.

    `referrers`: by the number of each object that was added or replaced, the numbers of those that may refer to it.
    """

    def __init__(self, sealed: bytes) -> None:
        self._reader = PdfFileReader(BytesIO(sealed), strict=False)
        ending = _END.search(sealed, max(0, len(sealed) - _LONGEST_END))
        if ending is None:
            raise DisallowedChange("what was sealed does not end as a PDF does")
        self.startxref = int(ending[1])
        self.has_table = sealed.startswith(b"xref", self.startxref)
        self.trailer = to_dictionary(_as_written(self._reader.trailer.flatten()))
        self._added: dict[Reference, Value | Stream] = {}
        self.referrers: dict[int, set[int]] = defaultdict(set)

    @property
    def size(self) -> int:
        """No object has this number or a higher one."""
        size = self.trailer["Size"]
        if not isinstance(size, int):
            raise DisallowedChange("what was sealed does not say how many objects it has")
        return size

    def value(self, identifier: Reference) -> Value:
        """The object, which is no stream."""
        found = self._added.get(identifier)
        if isinstance(found, Stream):
            raise DisallowedChange("a stream stands in place of something else")
        return _as_written(self._read(identifier)) if found is None else found

    def packet(self, identifier: Reference) -> bytes:
        """What a stream of metadata holds."""
        found = self._added.get(identifier)
        if isinstance(found, Stream):
            return found.data()
        sealed = self._read(identifier)
        if not isinstance(sealed, generic.StreamObject):
            raise DisallowedChange("something else stands in place of the metadata")
        return bytes(sealed.data)

    def items(self, value: Value | None) -> list[Value]:
        """The items of an array, which may be missing, or stand in an object of its own."""
        found = self.value(value) if isinstance(value, Reference) else value
        if found is None:
            return []
        if not isinstance(found, list):
            raise DisallowedChange("something else stands in place of a list")
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
    referrer: int


class Delta:
    """An update compared with the revision before it.

    Each object that a method reads is removed from `unaccounted`; what stays there has no place in an update.
    """

    def __init__(self, revision: Revision, update: Update) -> None:
        self.revision = revision
        self.update = update
        self.unaccounted = dict(update.objects)

    def pair(self, old: Value | None, new: Value | None, referrer: int | None) -> Pair:
        """Returns a dictionary of the earlier revision, at the same place. Only `referrer`, if given, may refer to it.

        Raises:
            ForeignAddition: another one was put in its place.
        """
        if isinstance(old, dict) and isinstance(new, dict) and referrer is not None:
            return Pair(old, new, referrer)
        if not isinstance(old, Reference) or old != new:
            raise DisallowedChange("a part of the document is put in place of another")
        before = to_dictionary(self.revision.value(old))
        if old not in self.unaccounted:
            return Pair(before, before, old.number)
        if referrer is not None:
            self.revision.referrers[old.number].add(referrer)
        return Pair(before, to_dictionary(self.unaccounted.pop(old)), old.number)

    def pair_or_new(self, old: Value | None, new: Value | None, referrer: int) -> Pair:
        """As `pair`, of a dictionary that may be new."""
        if old is not None:
            return self.pair(old, new, referrer)
        if isinstance(new, dict):
            return Pair({}, new, referrer)
        return Pair({}, to_dictionary(self.new(new, referrer)), number_of(new))

    def appended(self, old: Value | None, new: Value | None, referrer: int) -> list[Value]:
        """What is new at the end of an array, whose beginning must be as it was."""
        before = self.revision.items(old)
        after = [] if new is None else new
        if isinstance(new, Reference):
            if new != old:
                raise DisallowedChange("a list is put in place of another")
            if new not in self.unaccounted:
                return []
            self.revision.referrers[new.number].add(referrer)
            held = self.unaccounted.pop(new)
            after, referrer = [] if isinstance(held, Stream) else held, new.number
        if not isinstance(after, list) or after[: len(before)] != before:
            raise DisallowedChange("a list does not begin as it did")
        for one in after[len(before) :]:
            self.revision.referrers[number_of(one)].add(referrer)
        return after[len(before) :]

    def new(self, identifier: Value | None, referrer: int | None) -> Value | Stream:
        """An object that has a number of its own, and to which `referrer` may refer."""
        if not isinstance(identifier, Reference) or identifier.generation or identifier.number < self.revision.size:
            raise DisallowedChange("it uses the number of another object")
        if identifier not in self.unaccounted:
            raise DisallowedChange("it names an object that is not there")
        if referrer is not None:
            self.revision.referrers[identifier.number].add(referrer)
        return self.unaccounted.pop(identifier)


def to_dictionary(value: Value | Stream | None) -> Dictionary:
    """`value`, if it is a dictionary."""
    if not isinstance(value, dict):
        raise DisallowedChange("something else stands in place of a dictionary")
    return value


def number_of(identifier: Value | None) -> int:
    """The number of the object that a reference leads to."""
    if not isinstance(identifier, Reference):
        raise DisallowedChange("something else stands in place of a reference")
    return identifier.number


def expect_same(old: Dictionary, new: Dictionary, *, ignoring: set[str]) -> None:
    """Raises `DisallowedChange` if an entry was changed, added or taken away, other than those of `ignoring`."""
    if {k: v for k, v in old.items() if k not in ignoring} != {k: v for k, v in new.items() if k not in ignoring}:
        raise DisallowedChange("it changes the document")


def _as_written(found: generic.PdfObject) -> Value:
    """A value as the library would write it, read as updates are."""
    if isinstance(found, generic.StreamObject):
        raise DisallowedChange("a stream stands in place of something else")
    output = BytesIO()
    found.write_to_stream(output)
    return Scanner(output.getvalue()).value()
