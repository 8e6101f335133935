"""Allowlists of the keys of PDF dictionaries, and the form of arrays in them."""

from decimal import Decimal

from pikepdf import Array, Object


def key_set(names: str) -> frozenset[str]:
    """Returns the keys in `names`, which spaces separate."""
    return frozenset("/" + name for name in names.split())


def keep(holder: Object, keys: frozenset[str]) -> None:
    """Removes all entries of a dictionary or stream but those of `keys`."""
    for key in [key for key, _ in holder.items() if key not in keys]:
        if key in holder:  # an entry of the value null is no entry
            del holder[key]


def is_numbers(values: Object | None, count: int) -> bool:
    """Returns whether an entry is an array of `count` numbers."""
    is_array = isinstance(values, Array) and len(values) == count
    return is_array and all(isinstance(value, int | float | Decimal) for value in values or ())
