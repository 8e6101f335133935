"""Programs that are kept running: started, started again when they die, and stopped in order."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

FIRST_DELAY = 0.5
LONGEST_DELAY = 15.0
"""Seconds before a program that died is started again: twice as long each time, up to this."""

STABLE_SECONDS = 30.0
"""Seconds after which a program counts as running well, so that its next death is a first one again."""

_WRAPPER = Path(__file__).with_name("die_with_parent.py")


@dataclass(frozen=True, slots=True)
class Program:
    """What to run. It may take `grace` seconds to stop before it is killed; its output goes to the end of `log`."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    log: Path
    grace: float


class ManagedProcess:
    """A program that is started again whenever it ends, until it is stopped."""

    def __init__(self, program: Program, warn: Callable[[str], None]) -> None:
        self.program = program
        self.deaths = 0
        self._warn = warn
        self._process: asyncio.subprocess.Process | None = None
        self._restarts: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._restarts = asyncio.create_task(self._keep_running(), name=self.program.name)

    async def stop(self) -> None:
        """Asks the program to end, waits for as long as it may take, and makes sure of it."""
        if self._restarts is None:
            return
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
        """Ends the program and every process that it started, now."""
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # macOS says the latter of a group that is only a zombie
            return

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
            pause = min(2 * pause, LONGEST_DELAY)

    async def _run(self) -> str:
        """Runs the program once, to its end, which it was not asked for; how it ended."""
        try:
            self._process = await self._launch()
        except OSError as error:
            return f"could not be started ({error})"
        code = await self._process.wait()
        self.kill()  # what it started and left behind
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
                # A group of its own: Ctrl-C reaches the supervisor alone, which then stops all in order.
                start_new_session=True,
            )


class Supervisor:
    """Several programs, each of which needs those before it."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._children: list[ManagedProcess] = []

    def start(self, program: Program) -> ManagedProcess:
        child = ManagedProcess(program, self._warn)
        self._children.append(child)
        child.start()
        return child

    async def stop(self) -> None:
        """Stops them one after the other, the last one first."""
        for child in reversed(self._children):
            await child.stop()

    def kill(self) -> None:
        """Ends all of them now; a `stop` under way has nothing to wait for any more."""
        for child in self._children:
            child.kill()
