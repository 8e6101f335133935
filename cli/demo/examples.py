"""The example sessions and the answers of their recipients."""

from enum import StrEnum
from pathlib import Path

_EXAMPLES = Path(__file__).parents[2] / "examples"

SIGNATURE = _EXAMPLES / "signature.png"
"""A handwritten signature in ink on a transparent background."""


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
        """Each recipient's answers: field values by field name, by recipient key."""
        return _EXAMPLES / f"{self.value}-answers.json"
