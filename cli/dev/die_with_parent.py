"""Becomes a command that does not outlive who started it: `python die_with_parent.py PARENT COMMAND ...`.

A service that is killed cannot stop its stack, and an orphaned engine would hold its port and its files against the
next start. Linux ends the command with its parent; elsewhere only an orderly stop ends it.
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
    if os.getppid() != parent:  # it died before the line above
        sys.exit(1)
    os.execv(command[0], command)  # noqa: S606  # no shell is wanted


if __name__ == "__main__":
    main()
