"""Programs are restarted, and none outlives its supervisor."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.dev.supervisor import Program, Supervisor
from tests import ROOT

CALL = "import os, signal, socket, subprocess, sys; s = socket.create_connection(('127.0.0.1', {port})); "
"""A program calls to say that it lives. That it has ended is the end of the call."""

WAIT = "signal.pause()"
SAY_GOODBYE = "signal.signal(signal.SIGTERM, lambda *_: (s.sendall(b'bye'), os._exit(0)));"
IGNORE = "signal.signal(signal.SIGTERM, signal.SIG_IGN);"
HAVE_A_CHILD = "subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'], pass_fds=[s.fileno()]);"


class Exchange:
    """Where programs call."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self.port = int(listener.getsockname()[1])

    async def next_call(self) -> socket.socket:
        """Returns the next program that says that it lives."""
        call, _ = await asyncio.wait_for(asyncio.to_thread(self._listener.accept), 120)
        call.settimeout(20)
        return call


async def last_words(call: socket.socket) -> bytes:
    """What the program said, once it and all that it started have ended."""
    with call:
        words = b""
        while part := await asyncio.to_thread(call.recv, 100):
            words += part
        return words


@pytest.fixture
def exchange() -> Iterator[Exchange]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(20)
        yield Exchange(listener)


class Warnings(list[str]):
    """The warnings of `supervisor`."""

    def __init__(self) -> None:
        self.supervisor = Supervisor(self.append)


@pytest.fixture
def warnings() -> Warnings:
    return Warnings()


def program(exchange: Exchange, code: str, log: Path, grace: float = 20) -> Program:
    whole = CALL.format(port=exchange.port) + code
    return Program("worker", (sys.executable, "-c", whole), dict(os.environ), log, grace)


async def test_a_program_that_was_killed_is_restarted_with_a_warning(
    exchange: Exchange, warnings: Warnings, tmp_path: Path
) -> None:
    code = f"s.sendall(str(os.getpid()).encode()); {WAIT}"
    process = warnings.supervisor.start(program(exchange, code, tmp_path / "log"))
    first = await exchange.next_call()
    os.kill(int(first.recv(100)), signal.SIGKILL)
    second = await exchange.next_call()
    await warnings.supervisor.stop()

    assert warnings == [f"The worker was ended by SIGKILL; starting it again. Its log: {tmp_path / 'log'}"]
    assert process.deaths == 1
    await last_words(first)
    await last_words(second)


async def test_output_is_appended_to_the_log(exchange: Exchange, warnings: Warnings, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("before\n")
    code = f"print('hello', flush=True); s.sendall(b'!'); {WAIT}"
    warnings.supervisor.start(program(exchange, code, tmp_path / "log"))
    call = await exchange.next_call()
    await asyncio.to_thread(call.recv, 1)
    await warnings.supervisor.stop()

    assert (tmp_path / "log").read_text() == "before\nhello\n"
    await last_words(call)


@pytest.mark.parametrize(
    "case",
    [
        (SAY_GOODBYE, 20, b"bye", []),
        (f"{IGNORE} {HAVE_A_CHILD}", 0.1, b"", ["The worker does not stop; killing it."]),
    ],
    ids=["terminated", "killed with its children"],
)
async def test_a_program_is_terminated_or_killed_after_its_grace_period(
    exchange: Exchange, warnings: Warnings, tmp_path: Path, case: tuple[str, float, bytes, list[str]]
) -> None:
    code, grace, words, expected = case
    warnings.supervisor.start(program(exchange, f"{code} s.sendall(b'ready '); {WAIT}", tmp_path / "log", grace))
    call = await exchange.next_call()
    ready = await asyncio.to_thread(call.recv, 6)
    await warnings.supervisor.stop()

    assert (ready, await last_words(call), warnings) == (b"ready ", words, expected)


async def test_programs_stop_one_by_one_the_last_one_first(
    exchange: Exchange, warnings: Warnings, tmp_path: Path
) -> None:
    supervisor, order = warnings.supervisor, tmp_path / "order"
    calls = []
    for name in ("first", "second", "third"):
        note = f"signal.signal(signal.SIGTERM, lambda *_: (open({str(order)!r}, 'a').write('{name} '), sys.exit()));"
        supervisor.start(program(exchange, f"{note} s.sendall(b'!'); {WAIT}", tmp_path / name))
        calls.append(await exchange.next_call())
        await asyncio.to_thread(calls[-1].recv, 1)

    await supervisor.stop()

    assert order.read_text() == "third second first "
    for call in calls:
        await last_words(call)


async def test_a_program_that_cannot_be_started_is_tried_again_and_said(tmp_path: Path) -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    supervisor = Supervisor(said.put_nowait)
    supervisor.start(Program("worker", ("true",), {}, tmp_path / "no such folder" / "log", 1))

    line = await asyncio.wait_for(said.get(), 120)

    assert line.startswith("The worker could not be started (")
    await supervisor.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
async def test_a_program_ends_with_a_supervisor_that_is_killed(exchange: Exchange, tmp_path: Path) -> None:
    code = f"""
import asyncio, os, sys
from pathlib import Path
from cli.dev.supervisor import Program, Supervisor
async def live():
    supervisor = Supervisor(print)
    command = (sys.executable, "-c", {CALL.format(port=exchange.port) + WAIT!r})
    supervisor.start(Program("worker", command, dict(os.environ), Path({str(tmp_path / "log")!r}), 1))
    await asyncio.Event().wait()
asyncio.run(live())
"""
    with subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}) as parent:
        call = await exchange.next_call()

        parent.kill()

        assert await last_words(call) == b""
