"""The names under which inputs store their values. Spec: 2.8 (name)."""

import re
import unicodedata

from layout.document import BlockDocument, InputField

_BETWEEN = re.compile(r"[^a-z0-9]+")
_LONGEST = 64


def field_names(document: BlockDocument) -> dict[str, str]:
    """The name of each input by the JSON pointer of its block; without a name of its own, a slug of the label."""
    return {
        f"/blocks/{index}": block.name or slug(block.label) or f"field-{index + 1}"
        for index, block in enumerate(document.blocks)
        if isinstance(block, InputField)
    }


def slug(text: str) -> str:
    """`text` in small letters, digits and hyphens: `Données d’accès` gives `donnees-d-acces`. Possibly empty."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return _BETWEEN.sub("-", plain.lower()).strip("-")[:_LONGEST].strip("-")
