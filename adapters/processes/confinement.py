"""Confines the fork server and its children, which read untrusted files, and hides their parent from them.

Each means holds alone where others are missing: a filter of system calls, Landlock, no capabilities, and a parent that
cannot be inspected. What the machine lacks is in `find_missing`.
"""

import ctypes
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from adapters.processes import landlock, seccomp

_PR_SET_DUMPABLE, _PR_SET_PDEATHSIG = 4, 1
_SIGKILL = 9
_CAPABILITIES_VERSION = 0x20080522

_SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/etc/localtime", "/usr/share/zoneinfo", "/dev/null", "/dev/urandom", "/sys/devices/system/cpu"),
)
"""What libraries read outside the interpreter: other libraries, time zones, random bytes, and the processors."""

NO_FILTER = (
    "System calls of child processes are not filtered (seccomp on x86_64 or aarch64 is missing): a file that takes "
    "over a decoder may use the network and start programs."
)
NO_LANDLOCK = (
    "Files are not restricted for child processes (Landlock is missing or switched off): a file that takes over a "
    "decoder may read what the service's user may read, the keys too. Use Linux 5.13 or newer with landlock in its "
    "list of security modules, and a container runtime that permits its system calls."
)
OLD_LANDLOCK = (
    "Landlock of this kernel does not separate signals and sockets (Linux 6.12 does); the filter of system calls alone "
    "does it."
)


class _CapabilityHead(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


def find_missing() -> tuple[str, ...]:
    """Returns a sentence for each means of confinement that this machine lacks, with its consequence."""
    version = landlock.landlock_version()
    lacks = {NO_FILTER: not seccomp.can_filter(), NO_LANDLOCK: version == 0, OLD_LANDLOCK: 0 < version < 6}
    return tuple(sentence for sentence, is_missing in lacks.items() if is_missing)


def forbid_inspection() -> None:
    """Makes memory, environment and descriptors of this process unreadable for other processes of its user.

    Debuggers and profilers need root from then on, and there are no core dumps.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_with_parent() -> None:
    """Has the kernel kill this process when its parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def confine(calls: seccomp.Calls, readable: Iterable[Path]) -> None:
    """Confines this process for good to `calls` and to what is `readable`, as far as the machine can.

    Call it while the process has one thread.

    Raises:
        OSError: the kernel refuses a means that it has.
    """
    forbid_inspection()
    _drop_capabilities()
    if landlock.landlock_version():
        landlock.restrict_files(readable)
    if seccomp.can_filter():
        seccomp.filter_calls(calls)


def readable_paths() -> Iterator[Path]:
    """Yields what a child process may read: the interpreter, packages and libraries.

    Of a source tree only the packages: it may contain the data directory.
    """
    yield from map(Path, _SYSTEM)
    yield from map(Path, filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)))
    installed = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    yield from installed
    yield Path(sys.base_prefix, "lib")
    for entry in map(Path, filter(None, sys.path)):
        if entry in installed or entry.name in {"site-packages", "dist-packages"} or not entry.is_dir():
            yield entry
        else:
            yield from (item for item in entry.iterdir() if item.suffix == ".py" or (item / "__init__.py").is_file())


def _drop_capabilities() -> None:
    """Gives up what root may do beyond its own files, such as reading the memory of other processes."""
    if sys.platform == "linux":
        nothing = (ctypes.c_uint32 * 6)()
        head = _CapabilityHead(_CAPABILITIES_VERSION, 0)
        ctypes.CDLL(None).capset(ctypes.byref(head), nothing)
