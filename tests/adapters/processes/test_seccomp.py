"""The filter of system calls, as the kernel would run it, for every processor that it knows."""

import errno
import platform

import pytest

from adapters.processes.seccomp import CHILD, MACHINES, SERVER, Calls, Machine, can_filter, compile_filter, number_of

ALLOWED, REFUSED, KILLED, MISSING = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000, 0x00050000 | errno.ENOSYS

LATER = range(520)

FLAGS = {"thread": 0x3D0F00, "process": 0x1200011, "namespace": 0x10000000 | 0x3D0F00}


def answer(calls: Calls, machine: Machine, number: int, *arguments: int, audit_arch: int | None = None) -> int:
    """What the filter of `machine` answers to a system call, as the kernel runs such a program (`linux/filter.h`)."""
    steps, at, word = compile_filter(calls, machine), 0, 0
    seen = {0: number, 4: machine.audit_arch if audit_arch is None else audit_arch}
    for position, value in enumerate((*arguments, *(6 * [0]))[:6]):
        seen |= {16 + 8 * position: value & 0xFFFFFFFF, 20 + 8 * position: value >> 32}
    while True:
        step = steps[at]
        at += 1
        match step.code:
            case 0x06:  # return a constant
                return int(step.value)
            case 0x20:  # load a word
                word = seen[step.value]
            case 0x54:  # keep some bits of it
                word &= step.value
            case 0x15 | 0x35 | 0x45:  # equal, at least, has one of the bits
                holds = {0x15: word == step.value, 0x35: word >= step.value, 0x45: bool(word & step.value)}[step.code]
                at += step.if_so if holds else step.if_not


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("calls", [CHILD, SERVER])
def test_only_listed_calls_are_allowed_and_other_abis_and_processors_are_not(name: str, calls: Calls) -> None:
    machine = MACHINES[name]
    listed = {number_of(call, machine) for call in calls} - {None}
    assert len(compile_filter(calls, machine)) < 4096
    assert {number for number in LATER if answer(calls, machine, number) != REFUSED} <= listed
    assert {answer(calls, machine, 0x40000000 + number) for number in LATER} == {REFUSED}
    others = {other.audit_arch for other in MACHINES.values()} - {machine.audit_arch}
    assert {answer(calls, machine, number, audit_arch=other) for number in LATER for other in others} == {KILLED}


@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("openat", (3, 0, 0o2000000), ALLOWED),  # O_CLOEXEC
        *(("openat", (3, 0, flags), REFUSED) for flags in (1, 2, 3, 0o100, 0o1000, 0o20200000)),
        ("clone", (FLAGS["thread"],), ALLOWED),
        ("clone", (FLAGS["process"],), REFUSED),
        ("clone", (FLAGS["namespace"],), REFUSED),
        ("clone3", (), MISSING),
        ("fcntl", (3, 1), ALLOWED),
        *(("fcntl", (3, command), REFUSED) for command in (4, 8, 10, 15, 1024, 1026, 1033)),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("ioctl", (0, 0x5412), REFUSED),
        ("prlimit64", (0, 7, 0, 8), ALLOWED),
        ("prlimit64", (0, 7, 8, 0), REFUSED),
        ("prlimit64", (0, 7, 1 << 32, 0), REFUSED),
        ("prlimit64", (1, 7, 0, 8), REFUSED),
        ("sched_getaffinity", (0,), ALLOWED),
        ("sched_getaffinity", (1,), REFUSED),
    ],
)
@pytest.mark.parametrize("name", MACHINES)
def test_arguments_decide(name: str, call: str, arguments: tuple[int, ...], expected: int) -> None:
    number = number_of(call, MACHINES[name])
    assert number is not None
    assert answer(CHILD, MACHINES[name], number, *arguments) == expected


def test_a_processor_that_is_not_known_filters_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "sparc64")
    assert not can_filter()
