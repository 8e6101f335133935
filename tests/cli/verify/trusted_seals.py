"""Trust in the seals of the tests."""

from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding

from tests.fakes.seals import KEYS

SEALS_PEM = KEYS.pair.certificate.public_bytes(Encoding.PEM)


def trust_seals(data_dir: Path) -> None:
    """Lets the installation in `data_dir` trust the seals of the tests."""
    trusted = data_dir / "keys" / "seal" / "trusted"
    trusted.mkdir(parents=True)
    (trusted / "seal.pem").write_bytes(SEALS_PEM)
