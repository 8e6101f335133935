"""Hyperlinks: addresses in text that begin with `http://`, `https://` or `mailto:`."""

import re
from collections import Counter
from urllib.parse import quote

from layout.text.spans import Span

_QUOTES = '<>"“”„«»‹›'
_OTHER_SCRIPTS = "、。，．！？：；｡､（）［］｛｝｢｣「」『』【】〈〉《》〔〕،؛؟۔।"
"""Punctuation that a space need not follow, as in Japanese, or that no address has without an encoding."""

_INVISIBLE = "\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ADDRESS = re.compile(
    rf"(?<!\w)(?:https?://|mailto:)[^\s{re.escape(_QUOTES + _OTHER_SCRIPTS)}{_INVISIBLE}]+", re.IGNORECASE
)
_AFTER = ".,;:!?'’…–—"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_MAX_LENGTH = 2_048
"""Maximum characters of an address that becomes a link: it is written once for each of its lines."""

_KEPT = "%:/?#[]@!$&'()*+,;=~"  # permitted in addresses besides letters and digits


def target_of(address: str) -> str:
    """Returns `address` in ASCII."""
    return quote(address, safe=_KEPT, errors="replace")


def find_links(text: str) -> tuple[Span, ...]:
    """Returns the addresses in `text`, in order, each as a link that is underlined."""
    if ":" not in text:
        return ()
    addresses = ((match.start(), _without_punctuation(match[0])) for match in _ADDRESS.finditer(text))
    return tuple(
        Span(start, start + len(address), target_of(address), underlined=True)
        for start, address in addresses
        if len(address) <= _MAX_LENGTH and address.partition(":")[2].strip("/")
    )


def _without_punctuation(address: str) -> str:
    """Returns `address` without punctuation at its end. A closing bracket stays if it was opened inside."""
    counts = Counter(address)
    end = len(address)
    while True:
        last = address[end - 1]
        opened = _BRACKETS.get(last)
        if last not in _AFTER and (opened is None or counts[opened] >= counts[last]):
            return address[:end]
        counts[last] -= 1
        end -= 1
