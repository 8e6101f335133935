"""How an operator wants PDFs to be sealed: what the settings say, not yet looked at."""

from dataclasses import dataclass, field
from pathlib import Path

from domain.sealing import SealLevel


@dataclass(frozen=True, slots=True)
class SealChoice:
    """`key` says where the key is, None: made here. `certificate` is a PEM file of its certificate and those above it.

    `timestamps` is the address of a timestamp authority (RFC 3161), `timestamp_roots` a PEM file of the roots
    that it is believed under. `level` is what every seal is to reach in the end.
    """

    key: str | None = field(default=None)
    certificate: Path | None = None
    passphrase: str | None = field(default=None, repr=False)
    timestamps: str | None = field(default=None, repr=False)
    timestamp_roots: Path | None = None
    level: SealLevel = SealLevel.B_B
