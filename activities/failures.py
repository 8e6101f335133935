"""Telling Temporal why an activity failed, in one sentence: what led to it is in the log of the worker.

Temporal keeps no failure whose causes and their traces are longer than some thousand characters, its message neither.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from temporalio.exceptions import ApplicationError

from adapters.sealing.port import SealFailed

log = structlog.get_logger(__name__)


@contextmanager
def told_in_a_sentence() -> Iterator[None]:
    """Has what goes wrong with a seal fail the activity under the name of its kind, with its message alone."""
    try:
        yield
    except SealFailed as error:
        log.warning("a seal could not be made as wished", reason=str(error), exc_info=True)
        raise ApplicationError(str(error), type=type(error).__name__) from None
