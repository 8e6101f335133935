"""The texts by which sessions are searched. Stored texts and search terms are casefolded in the same way."""

import unicodedata

from domain.session.session import Session

SHORTEST_PART = 3
"""Minimum number of characters of a part that the trigram index can find."""


def casefolded(text: str) -> str:
    """Returns `text` for Unicode's caseless matching (NFKC, full case folding): "STRASSE" equals "straße"."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold()).casefold()
    return unicodedata.normalize("NFKC", folded)


def is_searchable(text: str) -> bool:
    """Returns whether sessions can be searched by `text`: it has at least two characters."""
    return len(casefolded(text)) >= SHORTEST_PART - 1


def people_of(session: Session) -> str:
    """Returns the casefolded names and addresses of the recipients, each after a line feed."""
    texts = (text for recipient in session.recipients for text in (recipient.name, recipient.email) if text)
    return "".join(f"\n{casefolded(text)}" for text in texts)
