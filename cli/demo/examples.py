"""The examples: sessions to be made, and what their recipients fill in."""

from enum import StrEnum
from pathlib import Path

_EXAMPLES = Path(__file__).parents[2] / "examples"


class Example(StrEnum):
    """An example, by the name of its files."""

    AGREEMENT = "consulting-agreement"  # between two parties, with a schedule that both fill in
    NEW_STARTER = "new-starter-form"  # with inputs of every type

    @property
    def request(self) -> Path:
        """The body of a Create Session request."""
        return _EXAMPLES / f"{self.value}.json"

    @property
    def answers(self) -> Path:
        """What each recipient, by key, puts into each field, by name."""
        return _EXAMPLES / f"{self.value}-answers.json"
