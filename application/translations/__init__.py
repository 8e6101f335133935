"""The catalogues of translations, and the language of the page, email or certificate that is being written.

The English sentences are the message ids. `make catalogues` extracts them into `undersign.pot`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from domain.texts.languages import ENGLISH

FOLDER = Path(__file__).parent

_LANGUAGE = ContextVar("language", default=ENGLISH)


def catalogue_path(language: str) -> Path:
    """Returns the path of the catalogue of `language`, a BCP 47 tag."""
    return FOLDER / language.replace("-", "_") / "LC_MESSAGES" / "undersign.po"


@cache
def catalogue(language: str) -> NullTranslations:
    """Returns the translations into `language`, a BCP 47 tag. English messages stay unchanged."""
    return NullTranslations() if language == ENGLISH else read_catalogue(catalogue_path(language))


def read_catalogue(path: Path) -> GNUTranslations:
    """Returns the translations in a `.po` file. A message without one is returned as it is."""
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file))
    compiled.seek(0)
    return GNUTranslations(compiled)


def current_language() -> str:
    """Returns the current language: English outside of `in_language`."""
    return _LANGUAGE.get()


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Sets the current language within the context."""
    token = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def set_language(language: str) -> None:
    """Sets the current language until the end of the surrounding `in_language`."""
    _LANGUAGE.set(language)


def gettext(message: str) -> str:
    """Returns `message` in the current language."""
    return catalogue(current_language()).gettext(message)


def ngettext(one: str, other: str, number: int) -> str:
    """Returns the plural form for `number` in the current language."""
    return catalogue(current_language()).ngettext(one, other, number)
