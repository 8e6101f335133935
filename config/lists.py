"""Lists in a setting, separated by commas, and the origins of addresses among them."""

from collections.abc import Callable
from urllib.parse import urlsplit


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a list, without what is empty."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def origins_of(addresses: str) -> frozenset[str]:
    """The origins of these addresses, as browsers name them; raises `ValueError` if one has none."""
    return frozenset(map(_origin, parts_of(addresses)))


def checked(read: Callable[[str], object]) -> Callable[[str], str]:
    """Keeps a text as it is if `read` understands it."""

    def check(text: str) -> str:
        read(text)
        return text

    return check


_OWN_PORTS = {"http": ":80", "https": ":443"}
"""What browsers leave out."""


def _origin(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in _OWN_PORTS or not parts.netloc:
        raise ValueError("addresses begin with http:// or https://, and are separated by commas")
    if "@" in parts.netloc or not parts.netloc.isascii():
        raise ValueError("addresses have no user and no password, and hosts are written as xn--... where they need be")
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(_OWN_PORTS[parts.scheme])}"
