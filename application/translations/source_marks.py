"""Marks each translation with the sentence that it translates: `# source 1f3a9c2b`.

Run as a program, it marks the translations of all catalogues. A translation with the mark of another sentence becomes
fuzzy, also where the sentence was replaced in source and catalogues alike.
"""

import re
from hashlib import sha256
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po

from application.translations import catalogue_path
from domain.texts.languages import ENGLISH, LANGUAGES

_MARK = re.compile(r"source [0-9a-f]{8}")


def mark_of(message: Message) -> str:
    """Returns the mark of a translation of the English sentence of `message`."""
    forms = [message.id] if isinstance(message.id, str) else message.id
    return "source " + sha256("\0".join(forms).encode()).hexdigest()[:8]


def marks_on(message: Message) -> list[str]:
    """Returns the marks that `message` has: one if it was translated, none while it is new or fuzzy."""
    return [comment for comment in message.user_comments if _MARK.fullmatch(comment)]


def mark_translations(catalogue: Catalog) -> None:
    """Marks new translations, and flags as fuzzy those of sentences that have changed."""
    for message in catalogue:
        if not message.id:
            continue
        marks = marks_on(message)
        if marks not in ([], [mark_of(message)]):
            message.flags.add("fuzzy")
        forms = message.string if isinstance(message.string, list | tuple) else [message.string]
        comments = [comment for comment in message.user_comments if comment not in marks]
        message.user_comments = comments + ([mark_of(message)] if all(forms) and not message.fuzzy else [])


def _mark_file(path: Path) -> None:
    with path.open("rb") as file:
        catalogue = read_po(file)
    mark_translations(catalogue)
    with path.open("wb") as file:
        write_po(file, catalogue, width=0, ignore_obsolete=True, include_previous=True)


if __name__ == "__main__":
    for each in LANGUAGES.keys() - {ENGLISH}:
        _mark_file(catalogue_path(each))
