"""What ends a command, as the one line that a person reads.

CommandFailed
|-- InvalidInput        a setting makes no sense
|-- DirectoryNotUsable      the data directory cannot be written
|-- AlreadyRunning       the data directory belongs to a service that is running
|-- PortTaken            something else listens there
|-- DocumentNotReadable  a file is no block document
|-- BackendUnavailable    something outside of this machine's engines does not answer
|-- StartFailed          an engine stopped again and again, or did not answer in time
|-- NotRunning          there is no running service to talk to
|-- ReplayFailed        running sessions could not go on under this version
|-- KeyNotUsable         a key file is missing, damaged or no key
|-- FileNotReadable      a file that was named cannot be opened
|-- SessionNotFound            there is no such session to check
|-- ReceiptNotFound            there is no receipt of that erasure, or not yet
|-- ReceiptInvalid       a receipt was changed, or is not signed with that key
`-- DemoFailed  the service answered something that the demonstration cannot go on with
"""


class CommandFailed(Exception):
    """The command cannot go on. The message says what to do; `code` is the exit code."""

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
