"""Errors that end a command with one line on standard error."""


class CommandFailed(Exception):
    """The command cannot continue. The message says what to do; `code` is the exit code."""

    code = 1


class InvalidInput(CommandFailed):
    """A setting, an argument, a file or a key cannot be used."""

    code = 2


class BackendUnavailable(CommandFailed):
    """The database, the object store or Temporal does not respond."""


class NotRunning(CommandFailed):
    """No service runs here."""


class DemoFailed(CommandFailed):
    """A step of the demonstration failed."""
