"""The fork server: a Python program without the secrets of its parent that forks child processes for its jobs.

It imports the modules of the jobs once, confines itself, and obeys messages on its standard input, a socket: fork a
child with two pipes, or kill one. Its children confine themselves further, and end with it.
"""

import fcntl
import importlib
import logging
import os
import pickle
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from adapters.processes.confinement import confine, end_with_parent, readable_paths
from adapters.processes.frames import FORK, KILL, MESSAGE, read_frame, write_frame
from adapters.processes.job_limits import limit_memory
from adapters.processes.loop_without_sockets import use_loop_without_sockets
from adapters.processes.results import run_job
from adapters.processes.seccomp import CHILD, SERVER


def main(warm_modules: Sequence[str]) -> None:
    """Obeys messages until the parent ends, which kills the children."""
    sys.dont_write_bytecode = True
    use_loop_without_sockets()
    with socket.socket(fileno=os.dup(0)) as parent:
        for module in warm_modules:
            importlib.import_module(module)
        readable = tuple(readable_paths())
        for path in readable:
            # A child cannot list a source tree, so it finds these packages here.
            if (path / "__init__.py").is_file():
                importlib.import_module(path.name)
        confine(SERVER, readable)
        children: set[int] = set()
        while message := _receive(parent):
            kind, child = MESSAGE.unpack(message[0])
            if kind == KILL and child in children:
                children.remove(child)
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            elif kind == FORK:
                process = os.fork()
                if not process:
                    _run_child(message[1], readable)
                for pipe in message[1]:
                    os.close(pipe)
                children.add(process)
                parent.sendall(MESSAGE.pack(FORK, process))


def _receive(parent: socket.socket) -> tuple[bytes, list[int]] | None:
    """Returns the next message and its descriptors; None when the parent has ended."""
    try:
        data, pipes, _, _ = socket.recv_fds(parent, MESSAGE.size, 2)
    except ConnectionError:
        return None
    while 0 < len(data) < MESSAGE.size:
        data += parent.recv(MESSAGE.size - len(data)) or bytes(MESSAGE.size)
    return (data, pipes) if data else None


def _run_child(pipes: Sequence[int], readable: Sequence[Path]) -> NoReturn:
    """Runs the jobs of the first of two pipes, writes their results to the second, and ends with the first."""
    try:
        end_with_parent()
        logging.disable()  # warnings of libraries quote the content of files
        _keep_pipes(pipes)
        memory, modules = pickle.loads(read_frame(_REQUESTS))  # noqa: S301  # of the parent, which is trusted
        limit_memory(memory)
        for module in modules:
            importlib.import_module(module)
        confine(CHILD, readable)
        os.dup2(_NOTHING, 2)
        write_frame(_RESULTS, b"")
        while True:
            write_frame(_RESULTS, run_job(read_frame(_REQUESTS)))
    except EOFError:
        os._exit(0)
    except BaseException:  # noqa: BLE001  # nothing else reports it
        traceback.print_exc()
    finally:
        os._exit(1)


_NOTHING, _REQUESTS, _RESULTS = 1, 3, 4
"""Descriptors of a child. The fork server is started with a standard output that goes nowhere."""


def _keep_pipes(pipes: Sequence[int]) -> None:
    """Closes all descriptors but the two pipes and the standard ones, and reads standard input from nothing."""
    high = [fcntl.fcntl(pipe, fcntl.F_DUPFD_CLOEXEC, 16) for pipe in pipes]
    for descriptor, place in zip((_NOTHING, *high), (0, _REQUESTS, _RESULTS), strict=True):
        os.dup2(descriptor, place)
    os.closerange(_RESULTS + 1, os.sysconf("SC_OPEN_MAX"))
