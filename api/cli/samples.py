"""The example agreement, and what its two parties fill in."""

from pathlib import Path

_EXAMPLES = Path(__file__).parents[2] / "examples"

AGREEMENT = _EXAMPLES / "consulting-agreement.json"
"""The body of a Create Session request."""

ANSWERS = _EXAMPLES / "consulting-agreement-answers.json"
"""What each recipient, by key, puts into each field, by name."""
