"""Programs that check PDFs against standards; none of them shares code with the engine.

`pdfua` and `outloud` check parts of PDF/UA-1, PDFBox Preflight checks PDF/A-1b. Nothing that checks PDF/A-2b, which the
files follow, comes as a Debian or a Python package; its rules for fonts, colours and metadata are those of PDF/A-1b.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.programs import program

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
        _run(
            program("qpdf"),
            "--object-streams=disable",
            "--compress-streams=n",
            "--force-version=1.4",
            "--newline-before-endstream",
            new,
            old,
        )
        classes = ":".join(str(JARS / f"{name}.jar") for name in _PREFLIGHT)
        answer = _run(program("java"), "-cp", classes, "org.apache.pdfbox.preflight.Validator_A1b", old)
    return [] if "is a valid PDF/A-1b file" in answer else answer.splitlines()


def _run(*command: str) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # fixed commands
    assert ended.stdout or not ended.stderr, ended.stderr
    return ended.stdout
