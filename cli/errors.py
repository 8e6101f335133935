"""What ends a command, as the one line that a person reads.

CommandFailed
|-- NotConfigured        a setting makes no sense
|-- FolderNotUsable      the data directory cannot be written
|-- AlreadyRunning       the data directory belongs to a service that is running
|-- PortTaken            something else listens there
|-- DocumentNotReadable  a file is no block document
|-- EngineUnavailable    something outside of this machine's engines does not answer
|-- DidNotStart          an engine stopped again and again, or did not answer in time
|-- NothingRuns          there is no running service to talk to
|-- WouldGetStuck        running sessions could not go on under this version
|-- KeyNotUsable         a key file is missing, damaged or no key
|-- FileNotReadable      a file that was named cannot be opened
|-- NoSession            there is no such session to check
|-- NoReceipt            there is no receipt of that erasure, or not yet
|-- ReceiptRefused       a receipt was changed, or is not signed with that key
`-- DemonstrationFailed  the service answered something that the demonstration cannot go on with
"""


class CommandFailed(Exception):
    """The command cannot go on. The message says what to do; `code` is the exit code."""

    code = 1


class NotConfigured(CommandFailed):
    code = 2


class FolderNotUsable(CommandFailed):
    code = 2


class AlreadyRunning(CommandFailed):
    code = 2


class PortTaken(CommandFailed):
    code = 2


class DocumentNotReadable(CommandFailed):
    code = 2


class EngineUnavailable(CommandFailed):
    pass


class DidNotStart(CommandFailed):
    pass


class NothingRuns(CommandFailed):
    pass


class WouldGetStuck(CommandFailed):
    pass


class KeyNotUsable(CommandFailed):
    code = 2


class FileNotReadable(CommandFailed):
    code = 2


class NoSession(CommandFailed):
    code = 2


class NoReceipt(CommandFailed):
    pass


class ReceiptRefused(CommandFailed):
    pass


class DemonstrationFailed(CommandFailed):
    pass
