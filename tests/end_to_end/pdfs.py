"""PDFs as other programs than ours see them."""

import shutil
import subprocess
from pathlib import Path


def read_text(pdf: Path) -> str:
    """All text on its pages, with single spaces."""
    answer = subprocess.run([_tool("pdftotext"), "-layout", str(pdf), "-"], capture_output=True, text=True, check=True)
    return " ".join(answer.stdout.split())


def check_structure(pdf: Path) -> None:
    """Fails when qpdf finds anything wrong with the file."""
    answer = subprocess.run([_tool("qpdf"), "--check", str(pdf)], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def _tool(name: str) -> str:
    path = shutil.which(name)
    assert path, f"{name} is missing; `make test` installs it, or says what to install"
    return path
