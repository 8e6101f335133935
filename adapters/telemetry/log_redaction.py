"""Takes out of log lines what looks like a secret or an address of a person, whoever wrote it in."""

import re

from structlog.typing import EventDict, WrappedLogger

_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/@\"']+@"), "[credentials]@"),
    (re.compile(r"[^\s@<>()\[\]\"',;:=]+@[^\s@<>()\[\]\"',;:]+"), "[address]"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"), "[token]"),
    (re.compile(r"(?i)\b(bearer|basic) +[\w.~+/=-]{8,}"), r"\1 [token]"),
    (re.compile(r"\bwhsec_[\w+/=-]+"), "[secret]"),
    (re.compile(r"/(sign|sign-in|objects)/[\w.~-]{16,}"), r"/\1/[token]"),
    (re.compile(r"\b[\w-]{80,}"), "[token]"),
)
"""Credentials in URLs, mail addresses, JWTs, authorization headers, secrets of callbacks, links that open things."""


def redact(text: str) -> str:
    """`text` without them."""
    for shape, instead in _SHAPES if "@" in text else _SHAPES[2:]:
        text = shape.sub(instead, text)
    return text


def without_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """A processor of structlog: scrubs each text of the line."""
    return {name: redact(value) if isinstance(value, str) else value for name, value in event.items()}
