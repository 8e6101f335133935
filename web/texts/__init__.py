"""The words of the pages, in `pages.toml` (recipients and visitors) and `app.toml` (users of an organisation).

Templates get them as `t` and `a`. The catalogues of `application.translations` translate the words of `pages.toml`.
"""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from application.translations import catalogue, current_language
from application.translations.localised_formats import format_deadline, format_moment, format_names, format_number
from application.translations.toml_extraction import SINGULAR
from domain.texts.languages import ENGLISH, TAGS, direction_of
from layout.text.bidi import isolated


class Text(str):
    """A sentence of a page."""

    def format(self, *args: object, **values: object) -> str:
        """Returns the sentence with `values`. A value from right to left does not reorder the words beside it.

        Catalogues of languages from right to left have isolates around values from left to right.
        """
        shown = {name: isolated(value) if isinstance(value, str) else value for name, value in values.items()}
        return super().format(*args, **shown)


@cache
def _source(file_name: str) -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file_name).read_text(encoding="utf-8"))


@cache
def _entries(file_name: str, language: str) -> Mapping[str, Any]:
    entries: Mapping[str, Any] = _texts_of(_source(file_name), "", language)
    return entries


def _texts_of(entry: Any, path: str, language: str) -> Any:  # noqa: ANN401  # a table, an array or a sentence of TOML
    if isinstance(entry, str):
        return Text(catalogue(language).pgettext(path, entry))
    if isinstance(entry, Mapping):
        return {name: _texts_of(value, f"{path}.{name}".lstrip("."), language) for name, value in entry.items()}
    return [_texts_of(value, path, language) for value in entry]


class Texts:
    """The words of one file: a sentence is an attribute, a group of sentences a table."""

    def __init__(self, file_name: str, *, is_translated: bool = False) -> None:
        self._file_name = file_name
        self._is_translated = is_translated

    @property
    def language(self) -> str:
        """The language of the words, as BCP 47 tag."""
        return current_language() if self._is_translated else ENGLISH

    @property
    def tag(self) -> str:
        """The BCP 47 tag of the words, with their country where they are of one, such as `pt-BR`."""
        return TAGS.get(self.language, self.language)

    @property
    def direction(self) -> str:
        """The direction of the words, `rtl` or `ltr`."""
        return direction_of(self.language)

    def __getattr__(self, name: str) -> str:
        """Returns the sentence `name`, in templates also the table `name`. Raises `AttributeError` if there is none."""
        try:
            return _entries(self._file_name, self.language)[name]  # type: ignore[no-any-return]  # checked by tests/web/test_texts.py
        except KeyError:
            raise AttributeError(name) from None

    def table(self, name: str) -> Mapping[str, str]:
        return _entries(self._file_name, self.language)[name]  # type: ignore[no-any-return]  # as above

    def count(self, name: str, number: int) -> str:
        """Returns the sentence `name` in the plural form for `number`, which replaces `{count}`."""
        source = _source(self._file_name)
        one, other = source[f"{name}{SINGULAR}"], source[name]
        sentence = catalogue(self.language).npgettext(name, one, other, number)
        return sentence.replace("{count}", format_number(number, self.language))

    def moment(self, at: datetime) -> str:
        """Returns a time in UTC: `3 January 2027, 09:05 UTC`."""
        return format_moment(at, self.language)

    def deadline(self, at: datetime) -> str:
        """Returns a time in UTC with its weekday: `Sunday 3 January 2027, 09:05 UTC`."""
        return format_deadline(at, self.language)

    def sentences(self, *sentences: str) -> str:
        """Returns the sentences one after another, with a space between them unless they end in full-width marks."""
        between = "" if self.language in _WITHOUT_SPACES else " "
        return between.join(filter(None, sentences))

    def names(self, names: Sequence[str]) -> str:
        """Returns `names` as a list in the language, such as `Ada, Ben`."""
        return format_names(names, self.language)


_WITHOUT_SPACES = frozenset({"ja", "zh-Hans"})

PAGES = Texts("pages.toml", is_translated=True)
APP = Texts("app.toml")
