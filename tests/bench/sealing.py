"""`make bench-seal`: stamping and sealing 10 pages with RSA-2048 against pyHanko's stock signer, which only seals.

Both run in one process, in turns, on a document of its own each round. `ours` stamps 50 values and 3 images and seals;
`checked` also opens the result again, as nothing is published without; `stock` seals the stamped PDF. Writes
`build/bench-seal.json` too.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from statistics import median

from asn1crypto import keys, x509
from PIL import Image, ImageDraw
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko_certvalidator.registry import SimpleCertificateStore

from adapters.sealing.keys.file import MemoryKey, certificate_chain_of
from adapters.sealing.sealer import AROUND
from domain.ports.seals import TrustAnchors
from domain.seal.seal import Sample, SealLevel
from layout.engine import render, stamp
from layout.schema.block_document import BlockDocument
from layout.zone import Zone, ZoneType
from layout.zones.value_layout import ZoneValue
from pades.cms import make_cms
from pades.prepare_seal import prepare_seal
from pades.seal_validation import check_seal
from tests import ROOT
from tests.adapters.sealing.operators import Operator, der, operator
from tests.bench.documents import mixed
from tests.bench.measure import interleaved, ratio

RESULT = ROOT / "build" / "bench-seal.json"
GOAL = 0.35
VALUES, IMAGES = 50, 3


@dataclass(frozen=True, slots=True)
class Case:
    """A laid-out PDF, what goes onto it, and what it is when that is done."""

    pdf: bytes
    marks: tuple[ZoneValue, ...]
    stamped: bytes


def case(seed: int) -> Case:
    """Returns about ten pages with 50 inputs and 3 signatures among them."""
    document = mixed("10 pages", seed)
    blocks = [block for block in document["blocks"] if block["type"] not in _FILLED][:_BLOCKS]  # type: ignore[attr-defined]
    apart = max(1, len(blocks) // VALUES)
    for n in range(VALUES):
        field = {"type": "field", "fieldType": "text", "label": f"Input {n}", "name": f"n{n}"}
        blocks.insert((n + 1) * apart + n, {**field, "recipient": f"r{n % IMAGES}"})
    blocks += [{"type": "signatureBlock", "label": f"For {n}", "recipient": f"r{n}"} for n in range(IMAGES)]
    rendered = render(BlockDocument.model_validate({**document, "blocks": blocks}), [f"r{n}" for n in range(IMAGES)])
    if rendered.pdf is None:
        raise RuntimeError(f"the document has issues: {rendered.issues}")
    marks = tuple(mark for zone in rendered.zones if (mark := _mark(zone)) is not None)
    return Case(rendered.pdf, marks, stamp(rendered.pdf, marks))


_BLOCKS = 44
"""Of text; with the inputs they are about 10 pages."""

_FILLED = frozenset({"field", "fieldRow", "signatureBlock"})


def _mark(zone: Zone) -> ZoneValue | None:
    if zone.type is ZoneType.TEXT:
        return ZoneValue(zone, text=f"A value for {zone.name}")
    if zone.type is ZoneType.SIGNATURE:
        return ZoneValue(zone, image=_drawing(), small_print="Ada Lovelace, 2026-06-12T12:00:00.000Z, session 0b7c1e4e")
    return None


def _drawing() -> bytes:
    picture = Image.new("RGBA", (600, 200), (0, 0, 0, 0))
    ImageDraw.Draw(picture).line([(n * 6, 100 + (n * 37 % 90)) for n in range(100)], fill=(10, 20, 90, 255), width=5)
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def _checked(key: MemoryKey, trusted: TrustAnchors, case: Case) -> bytes:
    pdf = _sealed(key, case)
    if check_seal(pdf, trusted) is not SealLevel.B_B:
        raise RuntimeError("the seal does not hold")
    return pdf


def _sealed(key: MemoryKey, case: Case) -> bytes:
    room = 2 * AROUND + len(key.certificate_chain.certificate) + sum(map(len, key.certificate_chain.issuers))
    prepared = prepare_seal(stamp(case.pdf, case.marks), room, Sample())
    return prepared.with_signature(asyncio.run(make_cms(key, prepared.digest, Sample())).dump())


def stock(owner: Operator) -> Callable[[Case], bytes]:
    """Returns the stock signer as in pyHanko's manual, with the settings of the product."""
    above = SimpleCertificateStore.from_certs([x509.Certificate.load(der(owner.authority.certificate))])
    signer = signers.SimpleSigner(
        signing_cert=x509.Certificate.load(der(owner.certificate)),
        signing_key=keys.PrivateKeyInfo.load(_pkcs8(owner)),
        cert_registry=above,
    )
    metadata = signers.PdfSignatureMetadata(
        field_name="Seal",
        md_algorithm="sha256",
        subfilter=SigSeedSubFilter.PADES,
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
    )

    def seal(case: Case) -> bytes:
        signed = signers.PdfSigner(metadata, signer).sign_pdf(IncrementalPdfFileWriter(BytesIO(case.stamped)))
        return bytes(signed.getvalue())

    return seal


def _pkcs8(owner: Operator) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return owner.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    rounds = parser.parse_args().rounds
    owner = operator("rsa")
    key = MemoryKey(certificate_chain_of(owner.certificate, [owner.authority.certificate]), owner.key)
    trusted = TrustAnchors(seals=(der(owner.certificate),))
    engines = {"ours": partial(_sealed, key), "checked": partial(_checked, key, trusted), "stock": stock(owner)}
    times = interleaved({name: partial(partial, engine) for name, engine in engines.items()}, case, rounds)
    found = {
        "milliseconds": {name: round(median(taken), 1) for name, taken in times.items()},
        "ratios": {f"{name} / stock": round(ratio(times, name, "stock"), 3) for name in ("ours", "checked")},
        "goal": GOAL,
        "rounds": rounds,
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found, indent=2))
    return 0 if found["ratios"]["ours / stock"] <= GOAL else 1  # type: ignore[index]


if __name__ == "__main__":
    sys.exit(main())
