"""Origins of web pages: those that may frame signing pages, and those that recipients return to."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

RULE = "An origin is https:// and a host, with a port if it is not 443, and nothing after it: https://app.example.com."
"""Origins of the local machine may use http, for development."""

MAX_ORIGINS = 50

_ORIGIN = re.compile(
    r"(?:https://[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|http://(?:localhost|127\.0\.0\.1))(?::\d{1,5})?"
)
_PRINTABLE = re.compile(r"[\x21-\x7e]{1,2000}")


class InvalidOrigins(ValueError):
    """Texts are not origins, or there are too many. `places` maps the position of each text (from 0) to a message."""

    def __init__(self, places: dict[int, str]) -> None:
        self.places = places
        super().__init__(" ".join(places.values()))


def is_origin(text: str) -> bool:
    """Returns whether `text` is an origin as browsers write it: in lower case, without a standard port."""
    return _ORIGIN.fullmatch(text) is not None and not text.endswith(":443")


def check_origins(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns the origins, each once. Raises `InvalidOrigins`."""
    found = list(texts)
    wrong = {number: f"{text} is not an origin. {RULE}" for number, text in enumerate(found) if not is_origin(text)}
    if len(found) > MAX_ORIGINS:
        wrong[MAX_ORIGINS] = f"At most {MAX_ORIGINS} origins can be listed. Remove some."
    if wrong:
        raise InvalidOrigins(wrong)
    return tuple(dict.fromkeys(found))


def origin_of(address: str) -> str | None:
    """Returns the origin of an absolute address without user name, password and fragment; None for anything else."""
    if not _PRINTABLE.fullmatch(address) or "\\" in address or "#" in address:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    origin = f"{parts.scheme}://{parts.netloc.lower()}".removesuffix(":443")
    return origin if is_origin(origin) else None
