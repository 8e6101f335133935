"""What of an error is told to operators, in logs and histories.

Libraries quote what they were given: rows with names and addresses, passwords, whole documents.
"""

import os
import socket
import ssl
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parents[2]

OURS = frozenset(
    {
        "activities",
        "adapters",
        "api",
        "application",
        "asgi",
        "cli",
        "config",
        "domain",
        "layout",
        "pades",
        "ports",
        "schemas",
        "settings",
        "stamping",
        "undersign",
        "web",
        "worker",
        "workflows",
    }
)
"""The top-level packages and modules of this project, whose errors hold no personal data."""


def error_type_name(error: BaseException) -> str:
    """The kind of the error, with its module."""
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def safe_message(error: BaseException) -> str:
    """The message of an error that is ours, the system's words of an `OSError`, and nothing of any other."""
    if isinstance(error, OSError):
        return _words_of_the_system(error)
    return str(error) if type(error).__module__.partition(".")[0] in OURS else ""


def _words_of_the_system(error: OSError) -> str:
    """Those for its number: asyncio puts addresses in their place. TLS and name resolution number otherwise."""
    if error.errno and not isinstance(error, ssl.SSLError | socket.gaierror):
        return os.strerror(error.errno)
    return error.strerror or ""


def stack_locations(led_here: TracebackType | None) -> Iterator[str]:
    """Where the calls were that led to an error, the last one where it arose: file, line, and name of the function.

    Files are named from where Python finds them, so nothing is told of the machine.
    """
    for frame, line in traceback.walk_tb(led_here):
        yield f"{_short(Path(frame.f_code.co_filename))}:{line} in {frame.f_code.co_name}"


def _short(file: Path) -> Path:
    if "site-packages" in file.parts:
        return Path(*file.parts[file.parts.index("site-packages") + 1 :])
    return file.relative_to(ROOT) if file.is_relative_to(ROOT) else Path(*file.parts[-3:])
