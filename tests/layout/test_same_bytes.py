"""Documents without newer members give the same bytes as they did when these were recorded.

`python -m tests.layout.test_same_bytes` records the bytes of all documents. A new version of a font, of HarfBuzz or of
libdeflate may change them; a new member of the schema must not.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from layout.engine import render
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from tests.layout.goldens import ALL, GOLDENS
from tests.layout.test_example import EXAMPLES, picture

_RECORDED = GOLDENS / "sha256.json"
_PICTURES = {name: picture(name) for name in ("plan", "logo")}


def _digest(document: BlockDocument, images: Mapping[str, ImageFile]) -> str:
    keys = {bound.recipient for _, bound in document.bound()}
    rendered = render(document, keys, images, is_filled=True)
    assert rendered.pdf is not None, rendered.issues
    return sha256(rendered.pdf).hexdigest()


def _digests() -> Iterator[tuple[str, str]]:
    for name, golden in ALL.items():
        yield f"goldens/{name}", _digest(golden.document, golden.images)
    for path in sorted(EXAMPLES.glob("*.json")):
        for at, document in enumerate(_documents(json.loads(path.read_text("utf-8")))):
            yield f"examples/{path.stem}-{at}", _digest(BlockDocument.model_validate(document), _PICTURES)


def _documents(written: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the documents of an example, which is a document, a template or a session."""
    held = [file.get("document", {}) for file in written.get("files", ())]
    return [one for one in (written, written.get("document", {}), *held) if one.get("format") == "blocks"]


def test_every_example_and_golden_has_the_bytes_that_were_recorded() -> None:
    assert dict(_digests()) == json.loads(_RECORDED.read_text("utf-8"))


if __name__ == "__main__":
    _RECORDED.write_text(json.dumps(dict(_digests()), indent=1) + "\n", "utf-8")
