"""Content negotiation by the header `Accept` (RFC 9110 section 12.5.1)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from application.errors import NotAcceptable


class _Range(NamedTuple):
    """A media range of the header, with its weight from 0 to 1."""

    type: str
    weight: float


def choose_type(accept: str | None, offered: Sequence[str]) -> str:
    """Returns the type of `offered` with the highest weight; the first of equals, and the first without a header.

    Raises:
        NotAcceptable: the header accepts none of them.
    """
    ranges = list(_ranges(accept or "*/*"))
    best = max(offered, key=lambda type_: _weight(type_, ranges))
    if _weight(best, ranges) <= 0:
        raise NotAcceptable(offered)
    return best


def _weight(type_: str, ranges: Sequence[_Range]) -> float:
    """Returns the weight of `type_` by its most specific range."""
    for name in (type_, f"{type_.partition('/')[0]}/*", "*/*"):
        weights = [given.weight for given in ranges if given.type == name]
        if weights:
            return max(weights)
    return 0.0


def _ranges(accept: str) -> Iterator[_Range]:
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weights = [value for key, _, value in (parameter.partition("=") for parameter in parameters) if key == "q"]
        yield _Range(name, _number(weights[0]) if weights else 1.0)


def _number(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.0
