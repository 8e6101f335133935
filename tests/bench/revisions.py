"""Revisions of this repository: a copy of one beside this tree, and the command that it installs."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import ROOT


def command_of(root: Path) -> tuple[str, ...]:
    """`undersign` of the tree at `root`, for a process whose PYTHONPATH is that tree."""
    scripts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, function = scripts["undersign"].partition(":")
    return (sys.executable, "-P", "-c", f"import sys; from {module} import {function}; sys.exit({function}())")


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """A git worktree of `revision` in `build/`, which is removed afterwards.

    Raises:
        subprocess.CalledProcessError: git does not know the revision, or this tree is no repository.
    """
    folder = ROOT / "build" / f"revision-{revision.replace('/', '-')}"
    _git("worktree", "add", "--force", "--detach", str(folder), revision)
    try:
        yield folder
    finally:
        _git("worktree", "remove", "--force", str(folder))


def _git(*arguments: str) -> None:
    subprocess.run(("git", "-C", str(ROOT), *arguments), check=True, capture_output=True, text=True)
