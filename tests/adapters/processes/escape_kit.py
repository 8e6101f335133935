"""What a file that has taken over a child process would try. Each function runs in the child."""

import ctypes
import errno
import fcntl
import mmap
import os
import pickle
import platform
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from adapters.processes.seccomp import CHILD, MACHINES, number_of

NUMBERS = range(500)
"""Numbers of system calls. Kernels of this year have fewer."""

OF_PROBES = (335, 336)
"""Numbers that no filter sees (uretprobe and uprobe on x86_64): the kernel kills who calls them elsewhere."""

X32 = 0x40000000

SIGCHLD = 17

SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108  # nothing is written there: that is what is tested

ENTRIES = ("mem", "environ", "maps", "fd", "root", "cwd", "exe", "status", "cmdline", "task", "map_files", "syscall")


WAYS_OUT = """
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, process_madvise 440 440, kcmp 312 272,
    pidfd_open 434 434, pidfd_getfd 438 438, pidfd_send_signal 424 424,
    tkill 200 130, tgkill 234 131, kill 62 129, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240,
    socket 41 198, socketpair 53 199, bind 49 200, connect 42 203, sendmsg 46 211, sendto 44 206, accept4 288 242,
    execve 59 221, execveat 322 281, fork 57 -, vfork 58 -, memfd_create 319 279, memfd_secret 447 447,
    io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, userfaultfd 323 282, bpf 321 280,
    perf_event_open 298 241, keyctl 250 219, add_key 248 217, request_key 249 218,
    unshare 272 97, setns 308 268, mount 165 40, umount2 166 39, open_tree 428 428, move_mount 429 429, fsopen 430 430,
    pivot_root 155 41, chroot 161 51, name_to_handle_at 303 264, open_by_handle_at 304 265,
    shmget 29 194, shmat 30 196, msgget 68 186, semget 64 190, mq_open 240 180,
    open 2 -, openat2 437 437, creat 85 -, mknodat 259 33, symlinkat 266 36, linkat 265 37, renameat2 316 276,
    unlinkat 263 35, ftruncate 77 46, splice 275 76, vmsplice 278 75, sendfile 40 71, copy_file_range 326 285,
    prctl 157 167, capset 126 91, seccomp 317 277, setresuid 117 147, setgroups 116 159, personality 135 92,
    sched_setaffinity 203 122, setpriority 140 140, inotify_init1 294 26, fanotify_init 300 262, timer_create 222 107,
    init_module 175 105, kexec_load 246 104, reboot 169 142, syslog 103 116, iopl 172 -, ioperm 173 -, modify_ldt 154 -
"""
"""System calls by which a process reaches others, the network or the kernel: numbers on x86_64 and aarch64."""


class Targets(NamedTuple):
    """Processes and files that are not the child's."""

    processes: tuple[int, ...]
    files: tuple[str, ...]
    folders: tuple[str, ...]


def syscall(number: int, *arguments: object) -> int:
    """Returns the error of a raw system call; 0 when it succeeds."""
    libc = ctypes.CDLL(None, use_errno=True)
    ctypes.set_errno(0)
    return ctypes.get_errno() if libc.syscall(ctypes.c_long(number), *arguments) == -1 else 0


def calls_that_are_not_refused() -> tuple[int, ...]:
    """Every number that is not on the list, with arguments that no call accepts, also by the x32 interface."""
    machine = MACHINES[platform.machine()]
    known = {*(number_of(name, machine) for name in CHILD), *OF_PROBES}
    worst = [ctypes.c_long(-1)] * 6
    numbers = [*(number for number in NUMBERS if number not in known), *(X32 + number for number in NUMBERS)]
    return tuple(number for number in numbers if syscall(number, *worst) != errno.EPERM)


def ways_out_that_are_open() -> tuple[str, ...]:
    """The calls of `WAYS_OUT` that are not refused. The arguments are those that no call accepts."""
    column = MACHINES[platform.machine()].column + 1
    rows = [row.split() for row in WAYS_OUT.split(",")]
    worst = [ctypes.c_long(-1)] * 6
    numbers = {row[0]: int(row[column]) for row in rows if row[column] != "-"}
    return tuple(name for name, number in numbers.items() if syscall(number, *worst) != errno.EPERM)


def escapes(targets: Targets) -> tuple[str, ...]:
    """The names of the attempts that nothing refused."""
    return tuple(name for name, attempt in _attempts(targets) if _works(attempt))


def _works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _raw(name: str, *arguments: object) -> Callable[[], None]:
    number = number_of(name, MACHINES[platform.machine()])

    def call() -> None:
        assert number is not None
        if error := syscall(number, *arguments):
            raise OSError(error, name)
        if name == "clone" and os.getpid() != me:
            os._exit(0)

    me = os.getpid()
    return call


def _attempts(targets: Targets) -> Iterator[tuple[str, Callable[[], object]]]:
    yield from _reads(targets)
    yield from _writes(targets)
    for process in targets.processes:
        yield f"kill {process}", partial(os.kill, process, 0)
        yield f"affinity of {process}", partial(os.sched_getaffinity, process)
        yield f"limits of {process}", _raw("prlimit64", process, 7, None, ctypes.create_string_buffer(16))
        for kind in ("F_SETOWN", "F_SETSIG", "F_SETLEASE", "F_NOTIFY", "F_SETFL"):
            command = getattr(fcntl, kind)
            yield f"{kind} {process}", partial(fcntl.fcntl, 3, command, process)
    limits = ctypes.create_string_buffer(16)
    yield "its own limits", _raw("prlimit64", 0, 7, limits, None)
    yield "its own limits from a high address", _set_limits_from_high_address
    yield "fork", _raw("clone", SIGCHLD, None, None, None, None)
    yield "clone3", _raw("clone3", ctypes.create_string_buffer(88), 88)
    for bit in (7, 17, 25, 26, 27, 28, 29, 30):
        yield f"a namespace {bit}", _raw("clone", SIGCHLD | 1 << bit, None, None, None, None)
    for request in (0x5412, 0x541B, 0x8905, 0xC0045878, 0x5421):  # TIOCSTI, FIONREAD, SIOCATMARK, FITRIM, FIONBIO
        yield f"ioctl {request:x}", _raw("ioctl", 3, request, ctypes.create_string_buffer(8))
    yield from ((f"descriptor {number}", partial(os.fstat, number)) for number in range(5, 300))


def _reads(targets: Targets) -> Iterator[tuple[str, Callable[[], object]]]:
    for process in ("self", "thread-self", *map(str, targets.processes)):
        for entry in (*ENTRIES, "root/etc/passwd"):
            yield from _open(f"/proc/{process}/{entry}")
    for number in targets.processes:
        for entry in ("ns/net", "ns/user", "fd/0", "fd/2"):
            yield from _open(f"/proc/{number}/{entry}")
    for path in (*targets.files, *targets.folders):
        yield from _open(path)
        yield from _open(f"/proc/self/root{path}")
    places = (
        "/ /etc /etc/passwd /etc/shadow /etc/hosts /root /home /tmp /var /run /dev /dev/mem /dev/kmem /dev/shm /proc"
    )
    for path in f"{places} /proc/kcore /proc/net/tcp /proc/net/unix /sys/kernel /boot /usr/bin/env /bin/sh".split():
        if Path(path).exists():
            yield from _open(path)


def _set_limits_from_high_address() -> None:
    """Sets a limit from an address whose lower 32 bits are zero, which a filter may take for none."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    for address in (ctypes.c_void_p(number << 32) for number in range(1, 64)):
        # of one page, readable, private, anonymous, and there or nowhere
        if libc.mmap(address, ctypes.c_size_t(mmap.PAGESIZE), 1, 0x100022, -1, ctypes.c_long(0)) == address.value:
            return _raw("prlimit64", 0, 7, address, None)()
    raise AssertionError("there is no such address")


def _open_file(path: str, flags: int) -> None:
    os.close(os.open(path, flags, 0o600))


def _list_folder(path: str) -> None:
    list(Path(path).iterdir())


def _open(path: str) -> Iterator[tuple[str, Callable[[], object]]]:
    yield f"open {path}", partial(_open_file, path, os.O_RDONLY)
    if not path.startswith("/proc/self"):
        yield f"list {path}", partial(_list_folder, path)


def _writes(targets: Targets) -> Iterator[tuple[str, Callable[[], object]]]:
    caches = Path(__file__).parent / "__pycache__"
    folders = (*targets.folders, ".", *SHARED, str(Path(__file__).parent), str(caches))
    writes = (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_CREAT, os.O_RDONLY | os.O_CREAT, os.O_RDONLY | os.O_TRUNC)
    for path in (*targets.files, __file__, "/dev/null", "/dev/tty", *(f"{folder}/written" for folder in folders)):
        for flags in writes:
            yield f"open {path} {flags:o}", partial(_open_file, path, flags)
        yield f"truncate {path}", partial(os.truncate, path, 0)
        yield f"remove {path}", Path(path).unlink
        yield f"chmod {path}", partial(Path(path).chmod, 0o700)
        yield f"link {path}", partial(os.link, path, f"{path}.link")
    for folder in folders:
        yield f"folder in {folder}", Path(folder, "made").mkdir
        yield f"nameless in {folder}", partial(_open_file, folder, os.O_RDWR | os.O_TMPFILE)


def other_architecture() -> None:
    """Makes a system call by the 32-bit interface, which has other numbers."""
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    ctypes.CFUNCTYPE(ctypes.c_int)(address)()


class Hostile(Exception):
    """Runs a program when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (f"touch {self.args[0]}",)


def write_to_parent(frame: bytes) -> None:
    """Writes bytes of its own choice as the result of this job."""
    os.write(4, frame)
    os._exit(0)


def pickled(marker: str) -> bytes:
    """A pickle that makes a file when it is read."""
    return pickle.dumps(Hostile(marker))


def fail_with(marker: str) -> None:
    raise Hostile(marker)


def close_pipe_and_stay() -> None:
    """Ends in the eyes of the parent, and goes on."""
    os.close(4)
    while True:
        pass
