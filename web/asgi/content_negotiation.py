"""Content negotiation by the header `Accept` (RFC 9110 section 12.5.1)."""

from collections.abc import Iterator, Sequence

from application.errors import NotAcceptable


def choose_type(accept: str | None, offered: Sequence[str]) -> str:
    """Returns the type of `offered` with the highest weight; the first of equals, and the first without a header.

    Raises:
        NotAcceptable: the header accepts none of them.
    """
    ranges = list(_ranges(accept or "*/*"))

    def weigh(media_type: str) -> float:
        """Returns the weight of the most specific range."""
        for name in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
            weights = [weight for range_, weight in ranges if range_ == name]
            if weights:
                return max(weights)
        return 0.0

    best = max(offered, key=weigh)
    if weigh(best) <= 0:
        raise NotAcceptable(offered)
    return best


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    """Yields the media ranges of the header, each with its weight from 0 to 1."""
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1")
        try:
            yield name, min(max(float(weight), 0.0), 1.0)
        except ValueError:
            yield name, 0.0
