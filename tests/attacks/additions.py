"""What outsiders and honest programs add to a sealed PDF. Outsiders have no key, but all that an upload awaits."""

import asyncio
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import sha256
from io import BytesIO
from random import Random

import pikepdf
from asn1crypto import algos, cms, core
from asn1crypto import x509 as parsed
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from pyhanko.pdf_utils.misc import PdfError

from tests.attacks.draft import HIDDEN, Draft, covering, stream
from tests.fakes.seals import KEYS
from tests.pades.genuine_updates import taken_apart
from tests.pades.verification.incremental_updates import Form, Written, usual_form, with_update
from tests.pades.verification.prepared_documents import certificate
from tests.pades.verification.sealed_files import (
    CLOCK,
    NOW,
    YEAR,
    signed_as,
    with_document_timestamp,
    with_revocations,
    with_revocations_by_others,
)

Change = Callable[[bytes, Draft, Random], bytes | None]
"""Returns the changed file; None if the change is of no use to the file."""


class Kind(Enum):
    """What the file must be after an addition."""

    HONEST = auto()
    """Genuine."""

    RIDER = auto()
    """Not genuine: it carries what no honest program adds."""

    OPEN = auto()
    """Not genuine, or the same to all readers."""


@dataclass(frozen=True)
class Addition:
    kind: Kind
    change: Change


ADDITIONS: dict[str, Addition] = {}


def addition(name: str, kind: Kind = Kind.RIDER) -> Callable[[Change], Change]:
    def register(change: Change) -> Change:
        assert name not in ADDITIONS, name
        ADDITIONS[name] = Addition(kind, change)
        return change

    return register


# Honest programs


@addition("nothing", Kind.HONEST)
def _nothing(pdf: bytes, _draft: Draft, _random: Random) -> bytes:
    return pdf


@addition("revocation lists by the service", Kind.HONEST)
def _revocations(pdf: bytes, _draft: Draft, _random: Random) -> bytes:
    return with_revocations(pdf, KEYS.authority)


@addition("revocation lists by another program", Kind.HONEST)
def _by_others(pdf: bytes, _draft: Draft, _random: Random) -> bytes | None:
    """The program fails if it cannot read the store of the upload."""
    try:
        return with_revocations_by_others(pdf, KEYS.authority)
    except (PdfError, ValueError):
        return None


@addition("a document timestamp by another program", Kind.HONEST)
def _timestamp(pdf: bytes, _draft: Draft, _random: Random) -> bytes:
    return with_document_timestamp(pdf, CLOCK.stamper(NOW))


@addition("revocation lists, and a document timestamp", Kind.HONEST)
def _both(pdf: bytes, draft: Draft, random: Random) -> bytes:
    return _timestamp(_revocations(pdf, draft, random), draft, random)


@addition("revocation lists, with object streams", Kind.HONEST)
def _packed_revocations(pdf: bytes, _draft: Draft, _random: Random) -> bytes:
    return with_packed_update(pdf, with_revocations(pdf, KEYS.authority))


@addition("a document timestamp, with object streams", Kind.HONEST)
def _packed_timestamp(pdf: bytes, _draft: Draft, _random: Random) -> bytes:
    return with_packed_update(pdf, with_document_timestamp(pdf, CLOCK.stamper(NOW)))


@addition("revocation lists, and a document timestamp, with object streams", Kind.HONEST)
def _both_packed(pdf: bytes, draft: Draft, random: Random) -> bytes:
    return _packed_timestamp(_packed_revocations(pdf, draft, random), draft, random)


_INFORMATION = re.compile(rb"/Info \d+ 0 R")
_TOKEN = re.compile(rb"/Contents (<[0-9a-fA-F]*>)")


def with_packed_update(before: bytes, after: bytes) -> bytes:
    """Writes the update that made `before` into `after` with object streams. A timestamp is made anew."""
    named = [one for one in _INFORMATION.findall(after, len(before)) if one not in before]
    written = taken_apart(before, after).pdf(Form.PACKED, entries=b"".join(named))
    token = _TOKEN.search(written, len(before))
    if token is None:
        return written
    start, end = token.span(1)
    imprint = sha256(written[:start] + written[end:]).digest()
    made: bytes = asyncio.run(CLOCK.stamper(NOW).async_timestamp(imprint, "sha256")).dump().hex().encode()
    return written[:start] + b"<" + made.ljust(end - start - 2, b"0") + b">" + written[end:]


# Stores


def _form(pdf: bytes, random: Random) -> Form:
    return random.choice((usual_form(pdf), Form.PACKED))


def _with_store(
    pdf: bytes, held: bytes, number: int | None = None, *, written: bytes | None = None, form: Form | None = None
) -> bytes:
    """The file with a certificate in its store of evidence, by hand, under that number."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        root, size = opened.Root, int(opened.trailer.Size)
        entry = root.unparse(resolved=True)
        kept = root.get("/DSS")
        number = size if number is None else number
        named = written or b"<</Type/DSS/Certs [%d 0 R]>>" % number
        if isinstance(kept, pikepdf.Dictionary):
            entry = entry.replace(b"/DSS " + (kept.unparse() if kept.is_indirect else b""), b"/OldDSS ", 1)
        entry = entry.replace(b"<<", b"<</DSS %d 0 R " % (size + 1), 1)
        objects = {root.objgen[0]: entry, size + 1: named, number: stream(held)}
    return with_update(pdf, Written(objects, form or usual_form(pdf)))


def _padded(size: int, held: bytes = b"") -> bytes:
    """A certificate of anybody that carries so many bytes."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Anybody")])
    key = ec.derive_private_key(7, ec.SECP256R1())
    carried = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), held.ljust(size, b"\n"))
    usual = x509.CertificateBuilder(name, name, key.public_key(), 1, NOW, NOW + YEAR)
    made = usual.add_extension(carried, critical=False).sign(key, hashes.SHA256(), ecdsa_deterministic=True)
    return made.public_bytes(Encoding.DER)


@addition("a store that makes the file as long as was said")
def _to_length(pdf: bytes, draft: Draft, _random: Random) -> bytes | None:
    wanted = draft.wanted or 90_000
    size = wanted - len(pdf) - 1500
    for _ in range(4):
        if size < 1:
            return None
        made = _with_store(pdf, _padded(size))
        if len(made) == wanted:
            return made
        size += wanted - len(made)
    return None


@addition("a store under a number that the upload names")
def _awaited(pdf: bytes, draft: Draft, random: Random) -> bytes | None:
    if not draft.later:
        return None
    number, definition = random.choice(sorted(draft.later.items()))
    if random.random() < 0.3:
        return with_update(pdf, Written({number: definition}, _form(pdf, random)))
    return _with_store(pdf, b"", number).replace(stream(b""), definition)


def _archive() -> bytes:
    output = BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr("another.txt", HIDDEN)
    return output.getvalue()


@addition("a store that carries another format")
def _carrying(pdf: bytes, draft: Draft, random: Random) -> bytes:
    formats = (_archive(), b"<html><body>EUR 4,800,000</body></html>", draft.write(), b"%PDF-1.7\n", b"\0" * 40_000)
    held = random.choice(formats)
    held = random.choice((_padded(len(held), held), held, certificate() + held))
    return _with_store(pdf, held, form=_form(pdf, random))


@addition("an odd store")
def _odd_store(pdf: bytes, _draft: Draft, random: Random) -> bytes:
    stores = (
        b"<<>>", b"<</Type/DSS>>", b"<</Certs []>>", b"5", b"<</Certs [null]>>", b"<</OCSPs [%d 0 R]>>",
        b"<</CRLs [%d 0 R]>>", b"<</Certs [%d 0 R]/Odd 1>>", b"<</Certs [%d 0 R]/Extensions<<>>>>",
        b"<</VRI<</Odd<</Cert [%d 0 R]>>>>/Certs [%d 0 R]>>", b"<</Certs [%d 0 R %d 0 R]>>",
    )  # fmt: skip
    with pikepdf.open(BytesIO(pdf)) as opened:
        number = int(opened.trailer.Size)
    written = random.choice(stores).replace(b"%d", b"%d" % number)
    held = random.choice((b"0\x03\x0a\x01\x00", _padded(9), b"junk"))
    return _with_store(pdf, held, written=written, form=_form(pdf, random))


@addition("entries of the root or the trailer")
def _entries(pdf: bytes, _draft: Draft, random: Random) -> bytes:
    after = _with_store(pdf, certificate())
    entries = (
        b"/ESIC 1",
        b"/Extensions<</ADBE 1>>",
        b"/Odd(<html>)",
        b"/PageMode/UseOC",
        b"/Lang(de)",
        b"/OpenAction 9",
    )
    if random.random() < 0.3:
        return after[: len(pdf)] + after[len(pdf) :].replace(b"/Size", b"/Odd(%%EOF startxref)/Size", 1)
    return after[: len(pdf)] + after[len(pdf) :].replace(b"<</DSS", b"<<%b/DSS" % random.choice(entries), 1)


# Revisions and bytes


@addition("another revision", Kind.OPEN)
def _revision(pdf: bytes, _draft: Draft, random: Random) -> bytes:
    with pikepdf.open(BytesIO(pdf)) as opened:
        page = opened.pages[0].obj
        size, number, written = int(opened.trailer.Size), page.objgen[0], page.unparse(resolved=True)
        contents = page.get("/Contents")
        content = contents.objgen[0] if isinstance(contents, pikepdf.Stream) else size
    look = b"/Type/Annot/Subtype/Stamp/Rect [0 0 595 842]/F 4/AP<</N %d 0 R>>" % (size + 1)
    objects = random.choice((
        {content: stream(covering())}, {size: stream(covering())}, {number: written},
        {number: written.replace(b"<<", b"<</UserUnit 2 ", 1)},
        {number: written.replace(b"<<",
        b"<</Annots [%d 0 R] " % size, 1), size: b"<<%b>>" % look, size + 1: stream(covering())},
        {number: written.replace(b"/Contents", b"/Contents [%d 0 R] /Old" % size), size: stream(covering())},
    ))  # fmt: skip
    return with_update(pdf, Written(objects, random.choice(list(Form))))


@addition("bytes around it")
def _around(pdf: bytes, _draft: Draft, random: Random) -> bytes:
    junk = random.choice(
        (b"\n", b"\0", b"%%EOF\n", b"<html>", _archive(), b"startxref\n0\n%%EOF\n", b"%PDF-1.7\n%%EOF\n")
    )
    return random.choice((junk + pdf, pdf + junk))


# The container of the seal

_RANGE = re.compile(rb"/ByteRange\s*\[\s*0\s+(\d+)\s+(\d+)\s+\d+\s*\]")


def _change_container(pdf: bytes, change: Callable[[cms.ContentInfo], bytes | None]) -> bytes | None:
    """The file with its seal's container as changed; None if the change cannot be made or does not fit."""
    for found in reversed(list(_RANGE.finditer(pdf))):
        start, end = int(found[1]) + 1, int(found[2]) - 1
        content = cms.ContentInfo.load(bytes.fromhex(pdf[start:end].decode()))
        if content["content"]["encap_content_info"]["content_type"].native == "tst_info":
            continue
        held = change(cms.ContentInfo.load(content.dump()))
        if held is None or held == content.dump() or len(held) * 2 > end - start:
            return None
        return pdf[:start] + held.hex().encode().ljust(end - start, b"0") + pdf[end:]
    return None


def _unsigned(content: cms.ContentInfo) -> list[cms.CMSAttribute]:
    return list(content["content"]["signer_infos"][0]["unsigned_attrs"] or [])


@addition("an attribute that is not signed")
def _attribute(pdf: bytes, _draft: Draft, random: Random) -> bytes | None:
    value = random.choice((core.UTF8String(HIDDEN * 20), core.OctetString(_archive()), core.Null()))
    kind = random.choice(("1.2.3.4", "1.2.840.113549.1.9.16.2.47", "1.2.840.113549.1.9.16.2.12"))

    def change(content: cms.ContentInfo) -> bytes:
        written = _tlv(0x30, core.ObjectIdentifier(kind).dump() + _tlv(0x31, value.dump()))
        held = [one.dump() for one in _unsigned(content)]
        return _rewritten(content, unsigned=b"".join(sorted([*held, written])))

    return _change_container(pdf, change)


def _rewritten(content: cms.ContentInfo, *, certificates: bytes = b"", unsigned: bytes | None = None) -> bytes:
    """The container with other certificates or attributes that are not signed, written by hand, in the given order."""
    data = content["content"]
    signer = b"".join(data["signer_infos"][0][name].dump() for name in _SIGNER_PARTS)
    if unsigned is None:
        unsigned = b"".join(one.dump() for one in _unsigned(content))
    signer = _tlv(0x30, signer + (_tlv(0xA1, unsigned) if unsigned else b""))
    head = b"".join(data[name].dump() for name in _DATA_PARTS)
    held = _tlv(0xA0, certificates) if certificates else data["certificates"].dump()
    members = _tlv(0x30, head + held + _tlv(0x31, signer))
    return _tlv(0x30, content["content_type"].dump() + _tlv(0xA0, members))


_DATA_PARTS = ("version", "digest_algorithms", "encap_content_info")
_SIGNER_PARTS = ("version", "sid", "digest_algorithm", "signed_attrs", "signature_algorithm", "signature")


def _tlv(tag: int, contents: bytes) -> bytes:
    size = len(contents)
    if size < 128:
        return bytes((tag, size)) + contents
    written = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(written))) + written + contents


@addition("other certificates in the container")
def _certificates(pdf: bytes, _draft: Draft, random: Random) -> bytes | None:
    extra = parsed.Certificate.load(_padded(200, HIDDEN.encode()))
    twin = parsed.Certificate.load(signed_as(KEYS.pair, None).certificate.public_bytes(Encoding.DER))
    root = parsed.Certificate.load(signed_as(KEYS.authority, None).certificate.public_bytes(Encoding.DER))
    way = random.randrange(5)

    def change(content: cms.ContentInfo) -> bytes:
        held = [one.chosen for one in content["content"]["certificates"]]
        others = ([*held, extra], [*held, twin], [held[0], root, *held[2:]], [*held, held[-1]], held[::-1])[way]
        return _rewritten(content, certificates=b"".join(one.dump() for one in others))

    return _change_container(pdf, change)


@addition("another writing of the container")
def _writing(pdf: bytes, _draft: Draft, random: Random) -> bytes | None:
    way = random.randrange(4)

    def change(content: cms.ContentInfo) -> bytes:
        signer = content["content"]["signer_infos"][0]
        if way == 0:
            signature = algos.DSASignature.load(signer["signature"].native)
            order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
            other = algos.DSASignature({"r": signature["r"].native, "s": order - signature["s"].native})
            signer["signature"] = other.dump()
        elif way == 1:
            signer["digest_algorithm"] = algos.DigestAlgorithm({"algorithm": "sha256", "parameters": core.Null()})
        elif way == 2:
            content["content"]["digest_algorithms"] = cms.DigestAlgorithms(
                [algos.DigestAlgorithm({"algorithm": name}) for name in ("sha256", "sha1")]
            )
        else:
            whole = content.dump()
            head = 4 if whole[1] == 0x82 else 2
            return b"\x30\x80" + whole[head:] + b"\0\0"
        return bytes(content.dump(force=True))

    return _change_container(pdf, change)


@addition("another token in the container")
def _token(pdf: bytes, _draft: Draft, random: Random) -> bytes | None:
    """A token that is removed, or of another signature. Of use at levels that have one."""
    is_removed = random.random() < 0.5
    other = asyncio.run(CLOCK.stamper(NOW).async_timestamp(sha256(b"another signature").digest(), "sha256"))

    def change(content: cms.ContentInfo) -> bytes | None:
        if not _unsigned(content):
            return None
        token = cms.CMSAttribute({"type": "signature_time_stamp_token", "values": [other]})
        return _rewritten(content, unsigned=b"" if is_removed else token.dump())

    return _change_container(pdf, change)
