"""How an error is told where operators read it: its kind, where it arose, and its message if that is ours."""

from collections.abc import Iterator

from domain.shared.error_redaction import name_kind, name_places, quote

MOST_CAUSES = 10


def name_error(error: BaseException) -> str:
    """The kind of the error; with its message if that is ours, with the system's words if it is an `OSError`."""
    name, words = name_kind(error), _words(error)
    return f"{name}: {words}" if words else name


def describe_error(error: BaseException) -> str:
    """The error and what led to it, the first cause last, each with its places: the last is where it arose."""
    return "\ncaused by ".join(_describe(cause) for cause in _chain(error))


def _describe(error: BaseException) -> str:
    return "\n  ".join((name_error(error), *name_places(error.__traceback__)))


def _words(error: BaseException) -> str:
    # One of ours that came through Temporal has its kind.
    return str(error) if type(error).__module__ == "temporalio.exceptions" else quote(error)


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(MOST_CAUSES):
        if current is None:
            return
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
