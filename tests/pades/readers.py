"""Seals as programs that did not make them see them."""

import subprocess
from pathlib import Path

from tests.programs import program


def pdfsig(pdf: bytes, folder: Path) -> str:
    """What poppler says of the signatures."""
    return _told([program("pdfsig")], pdf, folder)


def _told(command: list[str], pdf: bytes, folder: Path) -> str:
    file = folder / "sealed.pdf"
    file.write_bytes(pdf)
    ended = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)  # fixed commands
    return ended.stdout + ended.stderr
