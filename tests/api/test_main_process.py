"""What the process that answers requests may load."""

import subprocess
import sys


def test_the_drawing_engine_is_not_loaded_where_requests_are_answered() -> None:
    """PyMuPDF is not thread-safe and holds the interpreter lock; it belongs into child processes only."""
    program = "import sys, api.app; print('pymupdf' in sys.modules)"

    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert answer.stdout.strip() == "False"
