"""Restricts a process to reading named files and folders (Landlock), and separates it from other processes.

A restricted process cannot open any other file, nor the memory, environment or descriptors of a process outside its
domain, even as root. What newer kernels add is used where it exists: no TCP (version 4), no signals and no abstract
sockets to processes outside (version 6).
"""

import ctypes
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # numbers of the system calls, the same on all processors
_VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
_PATH_BENEATH = 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_PR_SET_NO_NEW_PRIVS = 38

_FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""Rights on files, by the version that introduced them. All of them are refused, except those of `allowed` paths."""

_SIZES = {1: 8, 4: 16, 6: 24}
"""Size of `_Rules` in bytes, by the version that introduced it."""


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """Returns the version of Landlock's interface in this kernel; 0 if there is none, or if it is switched off."""
    return max(_call(_CREATE, None, ctypes.c_size_t(0), _VERSION), 0) if sys.platform == "linux" else 0


def restrict_files(readable: Iterable[Path]) -> None:
    """Lets this thread read only what is `readable`, with all that is below. Missing paths are left out.

    Raises:
        OSError: the kernel refuses it.
    """
    version = landlock_version()
    rules = _Rules(
        sum(right for since, right in _FILE_RIGHTS.items() if since <= version),
        0b11 if version >= 4 else 0,
        0b11 if version >= 6 else 0,
    )
    size = max(size for since, size in _SIZES.items() if since <= version)
    ruleset = _checked(_call(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0))
    try:
        for path in readable:
            with suppress(OSError):  # there is none on this machine, so there is nothing to read
                _allow(ruleset, path)
        ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        _checked(_call(_RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = _READ_FILE | _READ_FOLDER if path.is_dir() else _READ_FILE
        _checked(_call(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(_Beneath(rights, descriptor)), 0))
    finally:
        os.close(descriptor)


def _call(number: int, *arguments: object) -> int:
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    syscall.restype = ctypes.c_long
    return int(syscall(ctypes.c_long(number), *arguments))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "the files of a child process cannot be restricted")
    return result
