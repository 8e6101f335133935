"""What child processes give up before they work: a hole in a decoder finds no secrets and no way out."""

import asyncio
import errno
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.confinement import MACHINES, can_confine
from adapters.processes import SpawnedPool

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
async def pool(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SpawnedPool]:
    monkeypatch.setenv("UNDERSIGN_DATABASE_URL", SECRET)
    pool = SpawnedPool(1)
    yield pool
    await pool.close()


async def test_a_child_has_no_environment_and_its_parent_keeps_its_own(pool: SpawnedPool) -> None:
    variables, shown = await pool.run(environment)

    assert variables == {}
    assert SECRET.encode() not in shown
    assert os.environ["UNDERSIGN_DATABASE_URL"] == SECRET


@only_where_possible
async def test_a_child_opens_no_socket_and_starts_no_program(pool: SpawnedPool) -> None:
    assert await pool.run(failure_of_a_socket) == errno.EPERM
    assert await pool.run(failure_of_a_program)


@only_where_possible
async def test_threads_of_a_child_are_held_to_the_same(pool: SpawnedPool) -> None:
    assert await pool.run(in_a_thread) == errno.EPERM


def in_a_thread() -> int | None:
    return asyncio.run(asyncio.to_thread(failure_of_a_socket_pair))


def failure_of_a_socket_pair() -> int | None:
    return failure_of_a_socket()


def test_the_refused_calls_of_each_processor_are_told_apart() -> None:
    for machine in MACHINES.values():
        assert len(set(machine.refused)) == len(machine.refused)
