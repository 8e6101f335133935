"""The words of the pages, in `pages.toml` (recipients and visitors) and `app.toml` (members of an organisation).

Templates get them as `t` and `a`. A translation is another pair of files with the same names.
"""

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from layout.text.unicode_properties import isolated


class Text(str):
    """A sentence of a page."""

    def format(self, *args: object, **values: object) -> str:
        """Returns the sentence with `values`. A value from right to left does not reorder the words beside it."""
        shown = {name: isolated(value) if isinstance(value, str) else value for name, value in values.items()}
        return super().format(*args, **shown)


def _texts_of(entry: Any) -> Any:  # noqa: ANN401  # a table, an array or a sentence of TOML
    if isinstance(entry, str):
        return Text(entry)
    if isinstance(entry, Mapping):
        return {name: _texts_of(value) for name, value in entry.items()}
    return [_texts_of(value) for value in entry]


class Texts:
    """The words of one file: a sentence is an attribute, a group of sentences a table."""

    def __init__(self, file_name: str) -> None:
        content = Path(__file__).with_name(file_name).read_text(encoding="utf-8")
        self._entries: Mapping[str, Any] = _texts_of(tomllib.loads(content))

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
