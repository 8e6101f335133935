"""Allowlists of the keys of PDF dictionaries."""

from pikepdf import Object


def key_set(names: str) -> frozenset[str]:
    """Returns the keys in `names`, which spaces separate."""
    return frozenset("/" + name for name in names.split())


def keep(holder: Object, keys: frozenset[str]) -> None:
    """Removes all entries of a dictionary or stream but those of `keys`."""
    for key in [key for key, _ in holder.items() if key not in keys]:
        if key in holder:  # an entry of the value null is no entry
            del holder[key]
