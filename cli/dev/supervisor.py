"""Supervises processes: starts them, restarts them when they exit, and stops them in order."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

FIRST_DELAY = 0.5
MAX_DELAY = 15.0
"""The delay before a restart, in seconds, is `FIRST_DELAY` first, and doubles each time up to this."""

STABLE_SECONDS = 30.0
"""Seconds after which a process counts as stable: the next restart has the first delay again."""

_WRAPPER = Path(__file__).with_name("die_with_parent.py")


@dataclass(frozen=True, slots=True)
class Program:
    """A command. It is killed `grace` seconds after SIGTERM. Its output is appended to `log`."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    log: Path
    grace: float


class ManagedProcess:
    """A process that is restarted whenever it exits, until it is stopped."""

    def __init__(self, program: Program, warn: Callable[[str], None]) -> None:
        self.program = program
        self.deaths = 0
        self._warn = warn
        self._process: asyncio.subprocess.Process | None = None
        self._restarts = asyncio.create_task(self._keep_running(), name=program.name)

    async def stop(self) -> None:
        """Terminates the process, and kills it after its grace period."""
        self._restarts.cancel()
        await asyncio.wait([self._restarts])
        if self._process is None:
            return
        if self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), self.program.grace)
            except TimeoutError:
                self._warn(f"The {self.program.name} does not stop; killing it.")
        self.kill()
        await self._process.wait()

    def kill(self) -> None:
        """Kills the process and all processes that it started."""
        if self._process is not None:
            # macOS raises `PermissionError` for a group of zombies.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _keep_running(self) -> None:
        pause = FIRST_DELAY
        while True:
            started_at = monotonic()
            ending = await self._run()
            self.deaths += 1
            if monotonic() - started_at > STABLE_SECONDS:
                pause = FIRST_DELAY
            self._warn(f"The {self.program.name} {ending}; starting it again. Its log: {self.program.log}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_DELAY)

    async def _run(self) -> str:
        """Runs the command until it exits; returns how it exited."""
        try:
            self._process = await self._launch()
        except OSError as error:
            return f"could not be started ({error})"
        code = await self._process.wait()
        self.kill()  # processes that it left behind
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    async def _launch(self) -> asyncio.subprocess.Process:
        with self.program.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(_WRAPPER), str(os.getpid())),
                *self.program.command,
                env=dict(self.program.environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Its own group: Ctrl-C reaches only the supervisor, which then stops all in order.
                start_new_session=True,
            )


class Supervisor:
    """Processes, each of which depends on those before it."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._processes: list[ManagedProcess] = []

    def start(self, program: Program) -> ManagedProcess:
        self._processes.append(ManagedProcess(program, self._warn))
        return self._processes[-1]

    async def stop(self) -> None:
        """Stops the processes one by one, the last one first."""
        for process in reversed(self._processes):
            await process.stop()

    def kill(self) -> None:
        """Kills all processes; a running `stop` then returns."""
        for process in self._processes:
            process.kill()
