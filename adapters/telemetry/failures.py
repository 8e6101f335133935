"""How an error is told where operators read it: its kind, where it arose, and its message if that is ours."""

import traceback
from collections.abc import Iterator
from pathlib import Path

OURS = frozenset({"activities", "adapters", "api", "domain", "layout", "settings", "stamping", "worker", "workflows"})
"""The first name of modules whose errors hold no personal data, by the rule of the house."""

ROOT = Path(__file__).parents[2]

MOST_CAUSES = 10


def name_failure(error: BaseException) -> str:
    """The kind of the error; with its message if that is ours, with the system's words if it is an `OSError`."""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    words = _words(error)
    return f"{name}: {words}" if words else name


def tell_failure(error: BaseException) -> str:
    """The error and what led to it, the first cause last, each with its places: the last is where it arose."""
    return "\ncaused by ".join("\n".join((name_failure(cause), *_places(cause))) for cause in _chain(error))


def _words(error: BaseException) -> str:
    if isinstance(error, OSError):
        return error.strerror or ""
    is_ours = type(error).__module__.partition(".")[0] in OURS
    # Its message is written by us, or it is one of ours that came through Temporal.
    return str(error) if is_ours or type(error).__module__ == "temporalio.exceptions" else ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(MOST_CAUSES):
        if current is None:
            return
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _places(error: BaseException) -> Iterator[str]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = Path(frame.f_code.co_filename)
        shown = file.relative_to(ROOT) if file.is_relative_to(ROOT) else Path(*file.parts[-3:])
        yield f"  {shown}:{line} in {frame.f_code.co_name}"
