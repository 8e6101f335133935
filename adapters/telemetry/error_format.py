"""How an error is told where operators read it: its kind, where it arose, and its message if that is ours."""

from collections.abc import Iterator

from domain.shared.error_redaction import error_type_name, safe_message, stack_locations

MOST_CAUSES = 10


def name_failure(error: BaseException) -> str:
    """The kind of the error; with its message if that is ours, with the system's words if it is an `OSError`."""
    name, words = error_type_name(error), _words(error)
    return f"{name}: {words}" if words else name


def tell_failure(error: BaseException) -> str:
    """The error and what led to it, the first cause last, each with its places: the last is where it arose."""
    return "\ncaused by ".join(_told(cause) for cause in _chain(error))


def _told(error: BaseException) -> str:
    return "\n  ".join((name_failure(error), *stack_locations(error.__traceback__)))


def _words(error: BaseException) -> str:
    # One of ours that came through Temporal has its kind.
    return str(error) if type(error).__module__ == "temporalio.exceptions" else safe_message(error)


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(MOST_CAUSES):
        if current is None:
            return
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
