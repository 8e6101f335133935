"""Names of inputs, which are the keys of their values. Specification 2.8 (name).

`layout.checks.find_issues` refuses duplicates.
"""

import re
import unicodedata
from hashlib import sha256

from domain.texts.combining_marks import normalized
from layout.schema.block_document import BlockDocument

_BETWEEN = re.compile(r"[^a-z0-9]+")
_MAX_LENGTH = 64
_HASH = 8
_LATIN = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
        "ŋ": "n", "ŧ": "t", "ĸ": "k", "ə": "e",
    }
)  # fmt: skip


def field_names(document: BlockDocument) -> dict[str, str]:
    """Returns the name of each input by its JSON pointer; by default a slug of the label."""
    return {path: field.name or slug(field.label) for path, field in document.inputs()}


def slug(label: str) -> str:
    """Returns `label` in lower case letters, digits and hyphens: `Données d’accès` gives `donnees-d-acces`.

    For labels that would be ambiguous (other scripts, no letters, very long), a part of the label's hash follows: `Имя`
    gives `field-` and eight hexadecimal digits. Equal labels have equal slugs.
    """
    letters = normalized("NFKD", label.lower().translate(_LATIN))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    short = _BETWEEN.sub("-", plain).strip("-")
    is_whole = all(letter.isascii() for letter in plain if letter.isalnum())
    if short and is_whole and len(short) <= _MAX_LENGTH:
        return short
    digest = sha256(normalized("NFC", label).encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{short[: _MAX_LENGTH - _HASH - 1].strip('-') or 'field'}-{digest}"
