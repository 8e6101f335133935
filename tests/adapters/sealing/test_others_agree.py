"""Programs that had no part in a seal find every output validly signed over the whole file, and the file sound."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from domain.audit.verification_report import Verdict
from domain.ports.seals import TrustAnchors
from domain.seal.seal import SealLevel
from layout.engine import render
from pades.verification.verify_file import verify_file
from tests.adapters.sealing.operators import written
from tests.adapters.sealing.timestamp_server import TimestampServer, serving_timestamps
from tests.application.uploads import pdfs
from tests.fakes.seals import KEYS, SEALER, seal, sealer_at
from tests.layout.documents import checkbox, document, signature, text_field
from tests.layout.reading import check, pdfsig
from tests.programs import program

pytestmark = [pytest.mark.mupdf, pytest.mark.poppler]


def ours() -> bytes:
    rendered = render(document(text_field("Order"), checkbox("Agreed"), signature("For the client")), ["client"])
    assert rendered.pdf
    return rendered.pdf


def uploaded() -> bytes:
    return pdfs.of_pages(3)


POPPLER = ("ETSI.CAdES.detached", "SHA-256", "Signature is Valid.")

OUTPUTS = [
    (ours, "B-B", False),
    (uploaded, "B-B", False),
    (pdfs.pdf, "B-B", False),
    (uploaded, "B-T", False),
    (uploaded, "B-LT", False),
    (ours, "B-LTA", False),
    (ours, "B-T", True),
    (ours, "B-LT", True),
    (uploaded, "B-LTA", True),
]
"""What makes a PDF, the level of its seal, and whether it was raised to that."""


@pytest.fixture
def authority() -> Iterator[TimestampServer]:
    with serving_timestamps() as authority:
        yield authority


async def sealed_at(level: SealLevel, pdf: bytes, authority: TimestampServer, *, is_raised: bool) -> bytes:
    """`pdf` sealed at that level: at once, or at first without the timestamp authority."""
    if level is SealLevel.B_B:
        return (await seal(pdf, SEALER)).pdf
    sealer = sealer_at(authority, level)
    if is_raised:
        authority.stop()
    sealed = await seal(pdf, sealer)
    if is_raised:
        assert sealed.level is SealLevel.B_B
        authority.start()
        before, sealed = sealed.pdf, await sealer.augment_seal(sealed)
        assert sealed.pdf.startswith(before)  # by updates only: the seal stays as it was
    else:
        assert authority.crls_fetched == 0 or level is not SealLevel.B_T
        assert (b"/DSS" in sealed.pdf) is (level is not SealLevel.B_T)
        assert (b"/DocTimeStamp" in sealed.pdf) is (level is SealLevel.B_LTA)
    assert sealed.level is level
    return sealed.pdf


@pytest.mark.parametrize(("make", "level", "is_raised"), OUTPUTS)
async def test_every_output_is_valid_to_pyhanko_poppler_qpdf_and_mupdf(
    make: Callable[[], bytes], level: str, is_raised: bool, authority: TimestampServer, tmp_path: Path
) -> None:
    unsealed = make()
    pdf = await sealed_at(SealLevel(level), unsealed, authority, is_raised=is_raised)
    assert pdf.startswith(unsealed)
    trusted = TrustAnchors(seals=KEYS.trusted().seals, timestamps=authority.roots)
    path = written(tmp_path, "output.pdf", pdf)

    poppler = pdfsig(pdf, tmp_path)
    assert [text for text in POPPLER if text not in poppler] == []
    assert "invalid" not in poppler.lower()
    last = poppler.rpartition("Signature #")[2]
    assert ("Total document signed" in last) is (level != "B-LT")  # after which evidence follows that no seal covers
    check(pdf)
    assert mutool(path) == ""
    report = pyhanko(path, trusted, tmp_path)
    assert "INTACT:TRUSTED" in report
    assert "INVALID" not in report
    verified = verify_file(pdf, trusted, datetime.now(UTC))
    assert verified.verdict is Verdict.GENUINE
    assert verified.seal is not None
    assert verified.seal.level is SealLevel(level)  # what is published and what is verified later is judged alike


def mutool(path: Path) -> str:
    """What MuPDF complains of when it reads every object and draws every page."""
    clean = [program("mutool"), "clean", "-s", str(path), str(path.with_name("clean.pdf"))]
    draw = [program("mutool"), "draw", "-q", "-F", "png", "-r", "20", "-o", str(path.with_name("%d.png")), str(path)]
    ended = [
        subprocess.run(one, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=60)
        for one in (clean, draw)
    ]
    return "".join(one.stderr for one in ended).replace("warning: ICC support is not available\n", "")


def pyhanko(path: Path, trusted: TrustAnchors, folder: Path) -> str:
    """What pyHanko's own command says, which knows nothing of our settings."""
    roots = [
        written(folder, f"root{number}.pem", x509.load_der_x509_certificate(der).public_bytes(Encoding.PEM))
        for number, der in enumerate((*trusted.seals, *trusted.timestamps))
    ]
    trust = [part for root in roots for part in ("--trust", str(root))]
    command = [sys.executable, "-m", "pyhanko", "sign", "validate", "--no-revocation-check", "--trust-replace", *trust]
    ended = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    return ended.stdout + ended.stderr
