"""What a person sees while something takes its time; readable without a terminal too."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.text import Text


class Progress:
    """Speaks on `console`: plain lines, one for each step that is done."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def say(self, line: str) -> None:
        self._print(Text(line))

    def warn(self, line: str) -> None:
        self._print(Text(line, style="yellow"))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Says that `name` is under way, on a terminal, and how long it took once it is done."""
        started_at = monotonic()
        with self.console.status(Text(f"{name} ...")):
            yield
        line = Text("  ready  ", style="green")
        line.append(f"{name} ", style="default")
        line.append(f"({monotonic() - started_at:.1f} s)", style="dim")
        self._print(line)

    def _print(self, text: Text) -> None:
        self.console.print(text, soft_wrap=True)
