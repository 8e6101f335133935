"""Files that the released version 0.1.0 sealed, with RSA and EC keys at every level, and who is trusted for them."""

from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from domain.ports.seals import TrustAnchors

_FOLDER = Path(__file__).parents[1] / "goldens" / "sealed"
SEALED = {path.stem: path.read_bytes() for path in sorted(_FOLDER.glob("*.pdf"))}
RECORDED_AT = datetime(2026, 11, 27, 12, tzinfo=UTC)


def _certificates(name: str) -> tuple[bytes, ...]:
    found = x509.load_pem_x509_certificates((_FOLDER / name).read_bytes())
    return tuple(one.public_bytes(Encoding.DER) for one in found)


GOLDEN_TRUST = TrustAnchors(_certificates("seals.pem"), _certificates("timestamps.pem"))
