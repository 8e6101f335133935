"""The facts that all processes of an installation share, such as its keys and its namespace in Temporal.

The first start records them in the database. Every process compares its own with them when it starts, as `/readyz` and
`undersign doctor` do, so that a process with the settings of another installation does not join.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Facts = Mapping[str, str]
"""Facts by name: a `Fact`, or a part of one after `/`, such as a key file. An empty value: it is missing."""

KEYS: Final = "keys/"
"""The prefix of the names of key files."""

ID_FILE: Final = "id"
"""The file in `keys/` with the id of the installation. It tells that a database and keys belong together."""

ID_FACT: Final = f"{KEYS}{ID_FILE}"

NO_PAYLOAD_KEYS: Final = "none"

STORE_ID: Final = "object-store/id"
"""The id in the object store (`STORE_ID_NAME`). It differs in a store of another installation, and is missing in an
empty one."""


class Fact(StrEnum):
    """A fact, by the name that `undersign installation accept` takes."""

    PUBLIC_URL = "public-url"
    OBJECT_STORE = "object-store"
    NAMESPACE = "namespace"
    PAYLOAD_KEYS = "payload-keys"
    KEYS = "keys"


_SUBJECTS: Final[Mapping[Fact, str]] = {
    Fact.PUBLIC_URL: "The public address",
    Fact.OBJECT_STORE: "The object store",
    Fact.NAMESPACE: "Temporal's namespace",
    Fact.PAYLOAD_KEYS: "The list of payload keys",
    Fact.KEYS: "The fingerprint of",
}

_REMEDIES: Final[Mapping[Fact, str]] = {
    Fact.PUBLIC_URL: "set UNDERSIGN_PUBLIC_URL to that address",
    Fact.OBJECT_STORE: "set UNDERSIGN_OBJECT_STORE to that store, or mount or restore objects/ of the data directory",
    Fact.NAMESPACE: "set UNDERSIGN_TEMPORAL_NAMESPACE and UNDERSIGN_TEMPORAL_ADDRESS to that one",
    Fact.PAYLOAD_KEYS: "restore UNDERSIGN_PAYLOAD_KEYS from a backup",
    Fact.KEYS: "mount keys/ of the data directory or restore it from a backup, or check UNDERSIGN_DATABASE_URL",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact of which this process has another value than the installation. Values are empty for missing ones."""

    fact: Fact
    name: str
    recorded: str
    found: str
    others: int = 0

    def __str__(self) -> str:
        subject, more = _SUBJECTS[self.fact], ""
        if self.name == STORE_ID:
            subject = "The id in the object store"
        elif self.fact is Fact.KEYS:
            subject = f"{subject} {self.name}"
            more = f" ({self.others} more key files differ)" if self.others else ""
        return (
            f"{subject} is {self.found or 'missing'} for this process and {self.recorded} for its installation{more}: "
            f"{_REMEDIES[self.fact]}, or accept the change with `undersign installation accept {self.fact}`."
        )


def fact_of(name: str) -> Fact:
    return Fact(name.partition("/")[0])


def compare_facts(recorded: Facts, found: Facts) -> list[Difference]:
    """Returns what differs, in the order of `Fact`; facts that this process does not know yet are left out.

    A process needs every recorded payload key, and encrypts under a recorded one. It may have more of them: a rotation
    adds a key at the end of the list first.
    """
    differences: dict[Fact, Difference] = {}
    for name, value in sorted(recorded.items()):
        other = found.get(name)
        fact = fact_of(name)
        if other is None or other == value or (fact is Fact.PAYLOAD_KEYS and _can_join(value, other)):
            continue
        first = differences.get(fact)
        differences[fact] = (
            Difference(fact, first.name, first.recorded, first.found, first.others + 1)
            if first
            else Difference(fact, name, value, other)
        )
    return [differences[fact] for fact in Fact if fact in differences]


def _can_join(recorded: str, found: str) -> bool:
    known, own = recorded.split(","), found.split(",")
    return own[0] in known and set(known) <= set(own)
