"""What child processes give up before they work: a hole in a decoder finds no secrets and no way out."""

import asyncio
import errno
import os
import platform
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.processes.pool import ForkServerPool
from adapters.processes.seccomp import MACHINES, Machine, _filter, can_confine

SECRET = "postgresql://undersign:a-secret-for-the-test@database/undersign"

only_where_possible = pytest.mark.skipif(not can_confine(), reason="no Linux with seccomp on a known processor")


def environment() -> tuple[dict[str, str], bytes]:
    """As Python has it, and as the kernel shows it."""
    shown = Path("/proc/self/environ")
    return dict(os.environ), shown.read_bytes() if shown.exists() else b""


def failure_of_a_socket() -> int | None:
    """The error with which the network is refused; None when it is not."""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    except OSError as error:
        return error.errno
    return None


def failure_of_a_program() -> bool:
    """Whether another program cannot be started."""
    try:
        subprocess.run([sys.executable, "-c", ""], check=False)  # it is ours
    except OSError:
        return True
    return False


@pytest.fixture
async def pool(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ForkServerPool]:
    monkeypatch.setenv("UNDERSIGN_DATABASE_URL", SECRET)
    pool = ForkServerPool(1)
    yield pool
    await pool.close()


async def test_a_child_has_no_environment_and_its_parent_keeps_its_own(pool: ForkServerPool) -> None:
    variables, shown = await pool.run(environment)
    assert variables == {}
    assert SECRET.encode() not in shown
    assert os.environ["UNDERSIGN_DATABASE_URL"] == SECRET


@only_where_possible
async def test_a_child_opens_no_socket_and_starts_no_program(pool: ForkServerPool) -> None:
    assert await pool.run(failure_of_a_socket) == errno.EPERM
    assert await pool.run(in_a_thread) == errno.EPERM
    assert await pool.run(failure_of_a_program)


def in_a_thread() -> int | None:
    return asyncio.run(asyncio.to_thread(failure_of_a_socket))


ALLOWED, REFUSED, KILLED = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000


def answer(machine: Machine, number: int, audit_arch: int) -> int:
    """What the filter of `machine` answers to a system call, as the kernel runs such a program (`linux/filter.h`)."""
    steps, at, word = _filter(machine), 0, 0
    seen = {0: number, 4: audit_arch}
    while True:
        step = steps[at]
        if step.code == 0x06:  # return a constant
            return int(step.value)
        if step.code == 0x20:  # load a word
            word = seen[step.value]
            at += 1
        else:
            holds = {0x15: word == step.value, 0x35: word >= step.value}[step.code]  # equal, at least
            at += 1 + (step.if_so if holds else step.if_not)


@pytest.mark.parametrize("name", MACHINES)
def test_the_filter_refuses_its_calls_and_other_abis_and_kills_on_other_processors(name: str) -> None:
    machine = MACHINES[name]
    assert len(set(machine.refused)) == len(machine.refused)
    answers = {number: answer(machine, number, machine.audit_arch) for number in range(500)}

    assert {number for number, result in answers.items() if result == REFUSED} == set(machine.refused)
    assert {result for number, result in answers.items() if number not in machine.refused} == {ALLOWED}

    others = {other.audit_arch for other in MACHINES.values()} - {machine.audit_arch}
    assert {answer(machine, 0x40000000 + number, machine.audit_arch) for number in range(500)} == {REFUSED}
    assert {answer(machine, number, other) for number in range(500) for other in others} == {KILLED}


def test_a_processor_that_is_not_known_confines_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "sparc64")
    assert not can_confine()
