"""What makes a PDF more than paper: scripts, actions that start programs, forms of another kind, attached programs.

ISO 32000-2: 12.6.4 action types, 12.7.8 XFA, 13.6 3D artwork, 13.7 rich media, 7.11 file specifications.
"""

from pathlib import PurePosixPath

from pikepdf import Dictionary, Name, Stream, String

_KEYS = {
    Name.JS: "JavaScript",
    Name.JavaScript: "JavaScript",
    Name.OnInstantiate: "JavaScript",
    Name.XFA: "an XFA form",
    Name.RichMediaContent: "rich media, which can run programs",
}
_ACTIONS = {
    Name.JavaScript: "JavaScript",
    Name.Launch: "an action that starts a program",
    Name.ImportData: "an action that reads files",
    Name.RichMediaExecute: "rich media, which can run programs",
}
_SCRIPTS = ("javascript:", "vbscript:")

_PROGRAM_ENDINGS = frozenset({
    ".apk", ".app", ".bat", ".bin", ".cmd", ".com", ".cpl", ".deb", ".dll", ".dmg", ".elf", ".exe", ".hta", ".htm",
    ".html", ".jar", ".js", ".jse", ".lnk", ".msi", ".msp", ".pif", ".pkg", ".ps1", ".py", ".rpm", ".scr", ".sh", ".so",
    ".svg", ".vbe", ".vbs", ".wsf", ".wsh",
})  # fmt: skip
_PROGRAM_MARKS = (
    b"MZ", b"\x7fELF", b"#!", b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe", b"\x4c\x00\x00\x00\x01\x14\x02\x00",
)  # fmt: skip
"""How programs begin: of Windows, Linux, scripts, Java and macOS, and shortcuts of Windows."""


def runs_program(thing: Dictionary | Stream) -> str | None:
    """What in this dictionary makes a reader run something, in words; None when nothing does."""
    for key, what in _KEYS.items():
        if key in thing:
            return what
    action = thing.get(Name.S)
    if isinstance(action, Name) and action in _ACTIONS:
        return _ACTIONS[action]
    address = thing.get(Name.URI)
    if isinstance(address, String) and "".join(str(address).split()).lower().startswith(_SCRIPTS):
        return "JavaScript"
    return None


def is_program_name(specification: Dictionary | Stream) -> bool:
    """Whether an attached file has a name that some system starts as a program."""
    names = (specification.get(key) for key in (Name.UF, Name.F))
    return any(PurePosixPath(str(name).rstrip(" .")).suffix.lower() in _PROGRAM_ENDINGS for name in names if name)


def is_program(attached: Stream) -> bool:
    """Whether an attached file begins as programs do."""
    return attached.read_bytes().startswith(_PROGRAM_MARKS)
