"""The documents that are held against standards, before and after signing.

`python -m tests.layout.standards` has Preflight check them all: `make archival`.
"""

import json
import sys
from pathlib import Path

from layout.document import BlockDocument
from layout.engine import render
from tests.layout.checkers import archival_findings
from tests.layout.documents import KEYS, document, paragraph
from tests.layout.goldens import sent, signed

EXAMPLES = Path(__file__).parents[2] / "examples"


def files() -> dict[str, bytes]:
    """Each file by name."""
    agreement = sent()
    written = json.loads((EXAMPLES / "consulting-agreement.json").read_text("utf-8"))
    documents = {
        "example": BlockDocument.model_validate(written["files"][0]["document"]),
        "links": document(paragraph("See https://example.com/terms and https://example.com/prices.")),
        "letters": document(
            paragraph("Zażółć gęślą jaźń. Ελληνικά. Съешь ещё. Đặng Thị Nguyễn (\\)."), title="§ 1 “Ä”"
        ),
        "without title": document({"type": "pageBreak", "header": None}, {"type": "heading", "text": "Terms"}),
    }
    made = {name: render(one, KEYS).pdf for name, one in documents.items()}
    made |= {"agreement": agreement.pdf, "signed": signed(agreement)}
    return {name: pdf for name, pdf in made.items() if pdf is not None}


def main() -> int:
    """Prints what is wrong; the exit code for scripts."""
    # a drawn signature is transparent, which PDF/A-1 does not know and PDF/A-2 does
    found = {name: archival_findings(pdf) for name, pdf in files().items() if name != "signed"}
    for name, findings in found.items():
        print(f"{name}: {'; '.join(findings) or 'valid PDF/A-1b'}")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
