"""Errors that end a command with one line on standard error.

CommandFailed
|-- InvalidInput         a setting or an argument is invalid
|-- DirectoryNotUsable   a directory or file cannot be written
|-- AlreadyRunning       another service runs on the data directory
|-- PortTaken            another program listens on the port
|-- DocumentNotReadable  a file is not a block document
|-- BackendUnavailable   the database, the object store or Temporal does not answer
|-- StartFailed          a process of the service stopped repeatedly, or did not answer in time
|-- NotRunning           no service runs here
|-- ReplayFailed         this version cannot continue running sessions
|-- KeyNotUsable         a key file is missing, damaged or not a key
|-- FileNotReadable      a named file cannot be opened
|-- SessionNotFound      there is no such session
|-- ReceiptNotFound      there is no receipt of that deletion, or not yet
|-- ReceiptInvalid       a receipt was changed, or is not signed with that key
`-- DemoFailed           a step of the demonstration failed
"""

from collections.abc import Iterator
from contextlib import contextmanager


class CommandFailed(Exception):
    """The command cannot continue. The message says what to do; `code` is the exit code."""

    code = 1


class InvalidInput(CommandFailed):
    code = 2


class DirectoryNotUsable(CommandFailed):
    code = 2


class AlreadyRunning(CommandFailed):
    code = 2


class PortTaken(CommandFailed):
    code = 2


class DocumentNotReadable(CommandFailed):
    code = 2


class BackendUnavailable(CommandFailed):
    pass


class StartFailed(CommandFailed):
    pass


class NotRunning(CommandFailed):
    pass


class ReplayFailed(CommandFailed):
    pass


class KeyNotUsable(CommandFailed):
    code = 2


class FileNotReadable(CommandFailed):
    code = 2


class SessionNotFound(CommandFailed):
    code = 2


class ReceiptNotFound(CommandFailed):
    pass


class ReceiptInvalid(CommandFailed):
    pass


class DemoFailed(CommandFailed):
    pass


@contextmanager
def key_errors() -> Iterator[None]:
    """Raises `KeyNotUsable` for errors of key files."""
    from adapters.keys.secret_keys import KeysUnusable  # noqa: PLC0415  # slow to load, and most commands need no key

    try:
        yield
    except KeysUnusable as error:
        raise KeyNotUsable(str(error)) from error
