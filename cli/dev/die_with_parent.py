"""Runs a command that ends with its parent process: `python die_with_parent.py PARENT COMMAND ...`.

A service that is killed cannot stop its processes, and an orphan would block its port and its files for the next
start. Linux kills the command when its parent ends; on other systems only an orderly stop ends it.
"""

import ctypes
import os
import signal
import sys

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2); it survives the exec below


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # the parent ended before the line above
        sys.exit(1)
    os.execv(command[0], command)  # noqa: S606  # starts no shell


if __name__ == "__main__":
    main()
