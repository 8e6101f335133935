"""Filters of system calls (seccomp): an allowlist, so that a call that nobody listed fails with EPERM.

`SERVER` is for the fork server, `CHILD` for the children that read untrusted files. A child can read files, use memory
it has, write to pipes it has, and start threads. It can start no process, open no socket, open nothing for writing, and
act on no other process.
"""

import ctypes
import errno
import platform
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_LOAD, _EQUAL, _AT_LEAST, _HAS, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_REFUSE, _MISSING = _ERROR | errno.EPERM, _ERROR | errno.ENOSYS
_OTHER_ABI = 0x40000000  # numbers from this one on belong to x32

_PR_SET_NO_NEW_PRIVS, _PR_GET_SECCOMP, _PR_SET_SECCOMP = 38, 21, 22
_MODE_FILTER = 2

_WRITES = 0o20001103  # O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | __O_TMPFILE
_THREAD = 0x00010000  # CLONE_THREAD
_NAMESPACES = 0x7E020080  # CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_DESCRIPTORS = (1, 2, 3, 1030)  # F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC: none sends signals to others
_QUESTIONS = (0x5401, 0x5450, 0x5451)  # TCGETS, FIONCLEX, FIOCLEX


class Step(ctypes.Structure):
    """An instruction of a classic BPF program."""

    _fields_ = (
        ("code", ctypes.c_ushort),
        ("if_so", ctypes.c_ubyte),
        ("if_not", ctypes.c_ubyte),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(Step)))


class Rule(NamedTuple):
    """A condition on the argument at position `argument`, of which only the lower 32 bits count.

    The call is allowed if the argument has none of the bits `without`, all bits of `with_`, and is one of `values`, if
    there are any. `is_pointer`: the upper 32 bits must be 0.
    """

    argument: int
    values: tuple[int, ...] = ()
    without: int = 0
    with_: int = 0
    is_pointer: bool = False


class Machine(NamedTuple):
    """A processor: its name in the kernel (`AUDIT_ARCH_...`), and the position of its numbers in the tables."""

    audit_arch: int
    column: int


MACHINES = {"x86_64": Machine(0xC000003E, 0), "aarch64": Machine(0xC00000B7, 1)}

_OF_A_CHILD = """
    read 0 63, pread64 17 67, readv 19 65, write 1 64, writev 20 66, openat 257 56, close 3 57, close_range 436 436,
    lseek 8 62, dup 32 23, dup2 33 -, dup3 292 24, fcntl 72 25, ioctl 16 29, poll 7 -, ppoll 271 73, select 23 -,
    pselect6 270 72, fstat 5 80, newfstatat 262 79, statx 332 291, stat 4 -, lstat 6 -, access 21 -, faccessat 269 48,
    faccessat2 439 439, readlink 89 -, readlinkat 267 78, getdents64 217 61, getcwd 79 17,
    mmap 9 222, mprotect 10 226, munmap 11 215, mremap 25 216, madvise 28 233, brk 12 214, membarrier 324 283,
    clone 56 220, clone3 435 435, futex 202 98, set_robust_list 273 99, rseq 334 293, sched_yield 24 124,
    sched_getaffinity 204 123, getcpu 309 168, exit 60 93, exit_group 231 94, rt_sigaction 13 134,
    rt_sigprocmask 14 135, rt_sigreturn 15 139, sigaltstack 131 132, restart_syscall 219 128,
    nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169,
    time 201 -, times 100 153, getrusage 98 165, getrandom 318 278, uname 63 160, sysinfo 99 179, prlimit64 302 261,
    getpid 39 172, gettid 186 178, getppid 110 173, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177
"""
"""System calls of the children: names with the numbers on x86_64 and aarch64, or a dash where there is none."""

_OF_THE_SERVER = """
    fork 57 -, set_tid_address 218 96, kill 62 129, wait4 61 260, prctl 157 167, recvmsg 47 212, recvfrom 45 207,
    sendto 44 206, seccomp 317 277, capset 126 91, landlock_create_ruleset 444 444, landlock_add_rule 445 445,
    landlock_restrict_self 446 446
"""
"""Further system calls of the fork server."""


def _read(table: str) -> dict[str, tuple[int | None, ...]]:
    rows = (row.split() for row in table.split(","))
    return {name: tuple(None if number == "-" else int(number) for number in numbers) for name, *numbers in rows}


_NUMBERS = {**_read(_OF_A_CHILD), **_read(_OF_THE_SERVER)}

Calls = Mapping[str, tuple[Rule, ...]]
"""System calls that are allowed, by name, with the rules that their arguments follow."""

CHILD: Calls = {
    **dict.fromkeys(_read(_OF_A_CHILD), ()),
    "openat": (Rule(2, without=_WRITES),),
    "fcntl": (Rule(1, values=_DESCRIPTORS),),
    "ioctl": (Rule(1, values=_QUESTIONS),),
    "clone": (Rule(0, without=_NAMESPACES, with_=_THREAD),),
    "sched_getaffinity": (Rule(0, values=(0,)),),
    "prlimit64": (Rule(0, values=(0,)), Rule(2, values=(0,), is_pointer=True)),  # its own limits, to read
}

SERVER: Calls = {
    **CHILD,
    **dict.fromkeys(_read(_OF_THE_SERVER), ()),
    "clone": (Rule(0, without=_NAMESPACES),),
    "prlimit64": (Rule(0, values=(0,)),),
}


def number_of(name: str, machine: Machine) -> int | None:
    """Returns the number of a system call that a filter here may allow; None if `machine` does not have it."""
    return _NUMBERS[name][machine.column]


def can_filter() -> bool:
    """Returns whether `filter_calls` works here: on Linux with seccomp and a known processor."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return False
    return int(ctypes.CDLL(None).prctl(_PR_GET_SECCOMP, 0, 0, 0, 0)) >= 0


def filter_calls(calls: Calls) -> None:
    """Refuses all system calls of this process but `calls`. Raises `OSError` if the kernel does not do it."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = compile_filter(calls, MACHINES[platform.machine()])
    program = _Program(len(steps), (Step * len(steps))(*steps))
    for arguments in ((_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0)):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "the system calls of a child process cannot be filtered")


def compile_filter(calls: Calls, machine: Machine) -> list[Step]:
    """Returns a classic BPF program. A call of another architecture kills the process; refused ones fail with EPERM."""
    steps = [
        Step(_LOAD, 0, 0, _ARCH_AT),
        Step(_EQUAL, 1, 0, machine.audit_arch),
        Step(_RETURN, 0, 0, _KILL),
        Step(_LOAD, 0, 0, _NUMBER_AT),
        Step(_AT_LEAST, 0, 1, _OTHER_ABI),
        Step(_RETURN, 0, 0, _REFUSE),
    ]
    for name, rules in calls.items():
        number = number_of(name, machine)
        if number is not None:
            # The C library starts threads by clone when clone3 is missing; the flags of clone3 cannot be read here.
            verdict = _MISSING if name == "clone3" else _ALLOW
            body = [step for rule in rules for step in _check(rule)] + [Step(_RETURN, 0, 0, verdict)]
            steps += [Step(_EQUAL, 0, len(body), number), *body]
    return [*steps, Step(_RETURN, 0, 0, _REFUSE)]


def _check(rule: Rule) -> Iterator[Step]:
    """Yields the steps that refuse the call if its argument breaks `rule`."""
    load = Step(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * rule.argument)
    refuse = Step(_RETURN, 0, 0, _REFUSE)
    if rule.is_pointer:
        yield from (Step(_LOAD, 0, 0, load.value + 4), Step(_EQUAL, 1, 0, 0), refuse)
    if rule.without:
        yield from (load, Step(_HAS, 0, 1, rule.without), refuse)
    if rule.with_:
        yield from (load, Step(_AND, 0, 0, rule.with_), Step(_EQUAL, 1, 0, rule.with_), refuse)
    if rule.values:
        left = len(rule.values)
        yield load
        yield from (Step(_EQUAL, left - at, 0, value) for at, value in enumerate(rule.values))
        yield refuse
