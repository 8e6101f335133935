"""Faults that a worker under test brings about in itself, switched on by files in a folder.

die-<before|after>-<activity>   the process that takes the file first kills itself there
fail-<engine>, hang-<engine>    every call to mail, storage or database, for as long as the file is there
lose-<engine>                   the same, but the call takes effect before it fails
"""

import os
import signal
import sys
from pathlib import Path

ENVIRONMENT = "CHAOS_SWITCHES"
"""Where the folder is, for a worker under test."""

ENGINES = ("mail", "storage", "database")
MOMENTS = ("before", "after")


class Switches:
    """The folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def turn_on(self, name: str) -> None:
        (self._folder / name).touch()

    def turn_off(self, name: str) -> bool:
        """Returns whether it was still on."""
        try:
            (self._folder / name).unlink()
        except FileNotFoundError:
            return False
        return True

    def is_on(self, name: str) -> bool:
        return (self._folder / name).exists()

    def all_off(self) -> None:
        for path in self._folder.iterdir():
            path.unlink(missing_ok=True)

    def die_if_armed(self, moment: str, activity: str) -> None:
        """Ends this process as a power failure would, if the switch for this place is on; it is off then."""
        if self.turn_off(f"die-{moment}-{activity}"):
            sys.stderr.write(f"chaos: dies {moment} {activity}\n")
            os.kill(os.getpid(), signal.SIGKILL)
