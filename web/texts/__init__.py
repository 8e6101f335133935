"""The words of the pages, in `pages.toml` (recipients and visitors) and `app.toml` (members of an organisation).

Templates get them as `t` and `a`. A translation is another pair of files with the same names.
"""

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


class Texts:
    """The words of one file: a sentence is an attribute, a group of sentences a table."""

    def __init__(self, file_name: str) -> None:
        self._entries: Mapping[str, Any] = tomllib.loads(
            Path(__file__).with_name(file_name).read_text(encoding="utf-8")
        )

    def __getattr__(self, name: str) -> str:
        """Returns the sentence called `name`; to templates, a table too. Raises `AttributeError` without one."""
        try:
            return self._entries[name]  # type: ignore[no-any-return]  # checked by tests/web/test_texts.py
        except KeyError:
            raise AttributeError(name) from None

    def table(self, name: str) -> Mapping[str, str]:
        return self._entries[name]  # type: ignore[no-any-return]  # checked by tests/web/test_texts.py

    def count(self, name: str, number: int) -> str:
        """Returns the sentence `name` about `number` things, in its form for one thing where that is the number."""
        sentence: str = self._entries[f"{name}_one" if number == 1 else name]
        return sentence.replace("{count}", f"{number:,}")

    @staticmethod
    def moment(at: datetime) -> str:
        """Returns a time in UTC: `3 January 2027, 09:05 UTC`."""
        at = at.astimezone(UTC)
        return f"{at.day} {at:%B %Y, %H:%M} UTC"


PAGES = Texts("pages.toml")
APP = Texts("app.toml")
