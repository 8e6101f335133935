"""Confines a child process before it reads untrusted files (seccomp): no environment, no network, no other programs.

An attacker who exploits a decoder gets neither the passwords in the environment nor a way to send data out. File access
is not restricted: the child may read every file that the service's user may read (docs/security.md).
"""

import ctypes
import errno
import os
import platform
import sys
from contextlib import suppress
from typing import NamedTuple


class Machine(NamedTuple):
    """A processor as the kernel names it (`AUDIT_ARCH_...`), and the numbers of the system calls that are refused."""

    audit_arch: int
    refused: tuple[int, ...]


UNCONFINED = (
    "Child processes are not confined here: files of others are read by processes that may use the network and start "
    "programs. Run the service on Linux with seccomp, on x86_64 or aarch64."
)

_ANY = (425,)  # io_uring_setup: no filter sees the system calls that it performs

MACHINES = {
    # socket, connect, ptrace, execve, execveat, process_vm_readv, process_vm_writev
    "x86_64": Machine(0xC000003E, (41, 42, 101, 59, 322, 310, 311, *_ANY)),
    "aarch64": Machine(0xC00000B7, (198, 203, 117, 221, 281, 270, 271, *_ANY)),
}

_PR_SET_NO_NEW_PRIVS, _PR_GET_SECCOMP, _PR_SET_SECCOMP = 38, 21, 22
_MODE_FILTER = 2
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCH_AT = 0, 4
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
_OTHER_ABI = 0x40000000  # numbers from this one on belong to x32


class _Step(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("if_so", ctypes.c_ubyte),
        ("if_not", ctypes.c_ubyte),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(_Step)))


def can_confine() -> bool:
    """Returns whether `confine` works here: on Linux with seccomp and a known processor."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return False
    return int(ctypes.CDLL(None).prctl(_PR_GET_SECCOMP, 0, 0, 0, 0)) >= 0


def confine() -> bool:
    """Clears the environment, and forbids sockets and other programs. Returns whether system calls are filtered."""
    _wipe_environment()
    if not can_confine():
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    steps = _filter(MACHINES[platform.machine()])
    program = _Program(len(steps), steps)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def _filter(machine: Machine) -> ctypes.Array[_Step]:
    """Returns a classic BPF program: calls of another architecture kill the process, refused ones fail with EPERM."""
    refused = machine.refused
    steps = [
        _Step(_LOAD, 0, 0, _ARCH_AT),
        _Step(_EQUAL, 1, 0, machine.audit_arch),
        _Step(_RETURN, 0, 0, _KILL),
        _Step(_LOAD, 0, 0, _NUMBER_AT),
        _Step(_AT_LEAST, len(refused) + 1, 0, _OTHER_ABI),
        *(_Step(_EQUAL, len(refused) - at, 0, number) for at, number in enumerate(refused)),
        _Step(_RETURN, 0, 0, _ALLOW),
        _Step(_RETURN, 0, 0, _REFUSE),
    ]
    return (_Step * len(steps))(*steps)


def _wipe_environment() -> None:
    """Overwrites the environment variables in place, because unset ones remain in memory and in /proc."""
    with suppress(ValueError, OSError):  # a C library that does not export `environ`
        environ = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
        at = 0
        while environ and environ[at]:
            address = environ[at]
            ctypes.memset(address, 0, len(ctypes.string_at(address)))
            at += 1
    os.environ.clear()
