"""Redacts errors for logs and histories.

Error messages of libraries may contain their inputs: rows with names and addresses, passwords, whole documents.
"""

import os
import re
import socket
import ssl
import traceback
from asyncio import CancelledError
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parents[2]

OURS = frozenset({
    "activities", "adapters", "api", "application", "cli", "config", "domain", "layout", "pades", "undersign", "web",
    "worker", "workflows",
})  # fmt: skip
"""The top-level packages and modules of this project. Messages of their errors hold no personal data."""


def error_type_name(error: BaseException) -> str:
    """Returns the qualified name of the error's class."""
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def safe_message(error: BaseException) -> str:
    """Returns the message of an error of this project, the system's text of an `OSError`, otherwise an empty text."""
    if isinstance(error, OSError):
        return _system_message(error)
    return str(error) if type(error).__module__.partition(".")[0] in OURS else ""


def connection_problem(error: BaseException) -> str:
    """Returns why a connection failed, in the words of the system or the server, for operators.

    The innermost cause tells it. Libraries give the errors of a closed connection and of a timeout no words.
    """
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and len(causes) < _MAX_CAUSES:
        causes.append(cause)
    if any(isinstance(cause, TimeoutError | CancelledError) or "Timeout" in type(cause).__name__ for cause in causes):
        return "no answer in time"
    of_system = [words for cause in causes if isinstance(cause, OSError) and (words := _system_message(cause))]
    words = of_system[-1] if of_system else str(error).partition("\n")[0]
    return " ".join(_CODES.sub("", words).split()).rstrip(".") or "the connection was closed"


_MAX_CAUSES = 10
_CODES = re.compile(r"\[(?:Errno -?\d+|SSL: \w+)\] | ?\(_ssl\.c:\d+\)")
"""Numbers and names by which Python quotes errors of the system and of OpenSSL."""


def _system_message(error: OSError) -> str:
    """Returns the text for the error number, because asyncio adds addresses to messages.

    TLS and DNS errors have numbers of their own, so their own text is returned.
    """
    if error.errno and not isinstance(error, ssl.SSLError | socket.gaierror):
        return os.strerror(error.errno)
    return error.strerror or ""


def stack_locations(stack: TracebackType | None) -> Iterator[str]:
    """Yields file, line and function of the stack, innermost last. File names are relative to their package."""
    for frame, line in traceback.walk_tb(stack):
        yield f"{_short(Path(frame.f_code.co_filename))}:{line} in {frame.f_code.co_name}"


def _short(file: Path) -> Path:
    if "site-packages" in file.parts:
        return Path(*file.parts[file.parts.index("site-packages") + 1 :])
    return file.relative_to(ROOT) if file.is_relative_to(ROOT) else Path(*file.parts[-3:])
