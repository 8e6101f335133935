"""Where callbacks may go (Specification 6.2): an absolute URL, and what an operator has to allow."""

import socket
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from domain.callbacks.ip_ranges import is_public

MAX_LENGTH = 2_048
"""Characters of a callback URL."""

_ABSOLUTE = "Give an absolute https URL, for example https://example.com/callbacks."


def callback_url_errors(url: str, *, private: bool) -> tuple[str, ...]:
    """What is wrong with `url`, as sentences that say what to do; nothing when callbacks may go there.

    Names are not looked up here: that is done at every try, since what they mean changes.

    Args:
        url: As the client wrote it.
        private: Whether the operator allows plain http and addresses that are not public.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # brackets without an address in them, a port that is no number
        return (_ABSOLUTE,)
    if not _is_plain(url) or parts.scheme not in {"https", "http"} or not parts.hostname or port == 0:
        return (_ABSOLUTE,)
    return tuple(_refused(url, parts, private=private))


def _is_plain(url: str) -> bool:
    """Whether `url` holds only characters that URLs are made of; of anything else, readers make different things."""
    return url.isascii() and url.isprintable() and not any(character in ' "<>\\^`{|}' for character in url)


def _refused(url: str, parts: SplitResult, *, private: bool) -> Iterator[str]:
    if len(url) > MAX_LENGTH:
        yield f"Shorten the URL to {MAX_LENGTH} characters."
    if "@" in parts.netloc:
        yield "Take the user name and the password out of the URL."
    if "#" in url:
        yield "Take the fragment (everything from # on) out of the URL."
    if private:
        return
    if parts.scheme == "http":
        yield "Use https; the operator of this service does not allow plain http."
    if not _may_be_public(parts.hostname or ""):
        yield "Use a public address; the operator of this service does not allow private ones."


def _may_be_public(host: str) -> bool:
    """Whether `host` is a public address, or a name that is not certainly one of this machine."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return False
    try:
        address = ip_address(name.partition("%")[0])
    except ValueError:
        try:
            address = ip_address(socket.inet_aton(name))  # 127.1, 0x7f000001 and the like, which connect too
        except (OSError, ValueError):
            return True
    return is_public(address)
