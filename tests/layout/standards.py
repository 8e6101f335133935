"""The documents that are held against standards, before and after signing, and programs that check them.

None of the programs shares code with the engine. `pdfua` and `outloud` check parts of PDF/UA-1, PDFBox Preflight checks
PDF/A-1b, whose rules for fonts, colours and metadata are those of PDF/A-2b, and pikepdf checks PDF/A-2b.
`python -m tests.layout.standards` has both check them all: `make archival`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pikepdf.pdfa import validate_written

from layout.engine import ZoneValue, render, stamp
from layout.pdf.document_catalog import Attachment
from layout.reports.render_report import render_report
from layout.reports.report import Entry, Heading, Note, Report, Table, TableWithQrCode, TextRole
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from layout.zone import Zone, ZoneType
from tests import ROOT
from tests.layout import kinds
from tests.layout.documents import KEYS, document, field, paragraph, row, signature, text_field
from tests.layout.goldens import sent, signed
from tests.layout.pictures import encoded, shades
from tests.programs import program

EXAMPLES = ROOT / "examples"


def files() -> dict[str, bytes]:
    """Each file by name."""
    agreement = sent()
    written = json.loads((EXAMPLES / "consulting-agreement.json").read_text("utf-8"))
    documents = {
        "example": BlockDocument.model_validate(written["files"][0]["document"]),
        "links": document(paragraph("See https://example.com/terms and https://example.com/prices.")),
        "runs": kinds.kind("runs"),
        "clauses": kinds.kind("clauses"),
        "letters": document(
            paragraph("Zażółć gęślą jaźń. Ελληνικά. Съешь ещё. Đặng Thị Nguyễn (\\)."), title="§ 1 “Ä”"
        ),
        "scripts": document(paragraph("Łódź, שלום עולם, مرحبا بالعالم 2026, नमस्ते स्थिति, สวัสดีชาวโลก, 東京都, 안녕, ☺")),
        "inputs": document(*_inputs()),
        "german": document(paragraph("Er sagte: שלום עולם (Ελληνικά)."), language="de"),
        "japanese": document(paragraph("本契約は Harbour & Finch A/S と締結する。"), language="ja"),
        "arabic": document(paragraph("مقابل شركة Harbour & Finch A/S وذلك"), text_field("Company"), language="ar"),
        "without title": document({"type": "pageBreak", "header": None}, {"type": "heading", "text": "Terms"}),
    }
    made = {name: render(one, KEYS).pdf for name, one in documents.items()}
    made["report"] = render_report(_report())
    made |= {"agreement": agreement.pdf, "signed": signed(agreement), "typed": _typed(), "pictures": _pictures()}
    return {name: pdf for name, pdf in made.items() if pdf is not None}


def _inputs() -> Iterator[dict[str, object]]:
    """A list, and an input of every type."""
    yield {"type": "bulletList", "items": ["one", "two " * 60, "three"]}
    for kind in ("text", "multilineText", "date", "number", "email", "auMobile", "checkbox", "initials"):
        yield field(kind, f"The {kind}")
    for kind in ("checkbox", "radio", "dropdown"):
        yield field(kind, f"One {kind}", options=["red", "green", "blue"])
    yield row(field("text", "Left"), field("text", "Right"))


def _report() -> Report:
    """Every part that a report can have, over several pages, with a file attached."""
    rows = tuple(
        ((Entry(str(number)),), (Entry("שלום", TextRole.STRONG), Entry("fine " * 40, TextRole.FINE)))
        for number in range(40)
    )
    facts = Table((1, 3), (((Entry("Name", TextRole.MUTED),), (Entry("Ödön", TextRole.STRONG),)),))
    attachment = Attachment("facts.json", "application/json", "The facts", b"{}", datetime(2026, 6, 12, tzinfo=UTC))
    return Report(
        title="Report",
        subtitle="of all parts",
        footer="Report",
        parts=(
            Note("All is well", TextRole.LEAD),
            TableWithQrCode(facts, "https://example.com/verify", "Check it here"),
            Heading("Facts"),
            facts,
            Note("See https://example.com/verify."),
            Table((1, 5), rows, head=("No.", "What")),
        ),
        attachments=(attachment,),
    )


def _pictures() -> bytes | None:
    jpeg = ImageFile(encoded(shades(60, 40), "JPEG"), 60, 40, "harbour.jpg")
    images = {"harbour": jpeg, "logo": ImageFile(encoded(shades(90, 30, "L")), 90, 30, "logo.png")}
    written = document({"type": "image", "fileId": "harbour"}, paragraph("Text"), logo={"fileId": "logo"})
    return render(written, KEYS, images).pdf


def _typed() -> bytes:
    """A document with inputs of every type, filled in without a drawing."""
    rendered = render(document(*_inputs(), signature()), KEYS)
    assert rendered.pdf is not None
    return stamp(rendered.pdf, [_mark(zone) for zone in rendered.zones])


def _mark(zone: Zone) -> ZoneValue:
    if zone.options and zone.type is not ZoneType.DROPDOWN:
        return ZoneValue(zone, chosen=(zone.options[0].text,))
    return (
        ZoneValue(zone, ticked=True) if zone.type is ZoneType.CHECKBOX else ZoneValue(zone, text=f"Ödön {zone.label}")
    )


JARS = Path("/usr/share/java")
_PREFLIGHT = ("preflight", "pdfbox2", "xmpbox", "fontbox2", "commons-logging", "javax.activation", "jaxb-api")

_NOT_ASKED = "TAG-002"
"""Takes the subtitle of a header band for text that was left out, unless most pages repeat it."""


def accessibility_findings(pdfs: Mapping[str, bytes]) -> dict[str, list[str]]:
    """What `pdfua` finds in each of the files, by name, and the errors of `outloud`, whose warnings are advice."""
    with TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.pdf" for name in pdfs}
        for name, file in files.items():
            file.write_bytes(pdfs[name])
        report = Path(folder) / "report.json"
        _run(
            sys.executable, "-m", "outloud.cli", *map(str, files.values()), "--skip", _NOT_ASKED, "--json", str(report)
        )
        results = json.loads(report.read_text("utf-8"))["results"]
        found = {Path(result["path"]).stem: _errors(result) for result in results}
        for name, file in files.items():
            answer = json.loads(_run(sys.executable, "-m", "pdfua", "check", "--format", "json", str(file)))
            found[name] += [json.dumps(finding) for finding in answer["findings"]]
    return found


def _errors(result: dict[str, object]) -> list[str]:
    findings = result["findings"]
    assert isinstance(findings, list)
    unread = [str(result["error"])] if result["error"] else []
    return unread + [json.dumps(finding) for finding in findings if finding["severity"] == "error"]


def archival_findings(pdf: bytes) -> list[str]:
    """What Preflight finds wrong with the file as PDF/A-1b: the same objects, but written as before there were object
    streams, and with that standard's number in the metadata.
    """
    with TemporaryDirectory() as folder:
        new, old = f"{folder}/new.pdf", f"{folder}/old.pdf"
        Path(new).write_bytes(pdf.replace(b"<pdfaid:part>2<", b"<pdfaid:part>1<"))
        options = ("--object-streams=disable", "--compress-streams=n", "--force-version=1.4")
        _run(program("qpdf"), *options, "--newline-before-endstream", new, old)
        classes = ":".join(str(JARS / f"{name}.jar") for name in _PREFLIGHT)
        answer = _run(program("java"), "-cp", classes, "org.apache.pdfbox.preflight.Validator_A1b", old)
    return [] if "is a valid PDF/A-1b file" in answer else answer.splitlines()


_DECLARED = "6.6.2.3.1-1"
"""The rule on properties of XMP outside known schemas. pikepdf ignores the schema of PDF/UA that the files state."""


def pdfa_findings(pdf: bytes, flavour: str = "2b") -> list[str]:
    """What pikepdf finds wrong with the file as PDF/A. It names what it does not check too, which is left out."""
    report = validate_written(BytesIO(pdf), flavour)
    wrong = [one for one in report.findings if one.kind == "violation" and not one.rule.endswith(_DECLARED)]
    return [f"{one.rule} {one.where}: {one.message}" for one in wrong]


def _run(*command: str) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # fixed commands
    assert ended.stdout or not ended.stderr, ended.stderr
    return ended.stdout


def main() -> int:
    """Prints what is wrong; the exit code for scripts."""
    # a drawn signature is transparent, which PDF/A-1 does not know and PDF/A-2 does; attached files only PDF/A-3 does
    made = files() | {"report": render_report(replace(_report(), attachments=()))}
    found = {name: archival_findings(pdf) for name, pdf in made.items() if name != "signed"}
    for name, findings in found.items():
        print(f"{name}: {'; '.join(findings) or 'valid PDF/A-1b'}")
    newer = {name: pdfa_findings(pdf, "3b" if name == "report" else "2b") for name, pdf in files().items()}
    for name, findings in newer.items():
        print(f"{name}: {'; '.join(findings) or 'no violation of PDF/A-2b'}")
    return 1 if any(found.values()) or any(newer.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
