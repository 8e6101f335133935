"""PDFs that others have signed, certified and locked with keys of their own, and what became of them afterwards."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from io import BytesIO
from itertools import count

from asn1crypto import keys, x509
from cryptography import x509 as certificates
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from pikepdf import ObjectStreamMode
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import (
    FieldMDPAction,
    FieldMDPSpec,
    MDPPerm,
    SigFieldSpec,
    SigSeedSubFilter,
    append_signature_field,
)
from pyhanko.sign.signers.pdf_cms import SimpleSigner
from pyhanko.sign.signers.pdf_signer import PdfSignatureMetadata, PdfSigner, PdfTimeStamper
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

from tests.application.uploads.pdfs import stream
from tests.foreign_pdfs.pdf_builder import file, hybrid, objects, page, saved, updated, written

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

PLAIN = file()


class _Signatory:
    """Somebody with a key and a certificate for it."""

    def __init__(self, name: str, key: Key, purpose: certificates.ObjectIdentifier | None = None) -> None:
        subject = certificates.Name([certificates.NameAttribute(certificates.NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        builder = (
            certificates.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(certificates.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=365))
            .add_extension(
                certificates.KeyUsage(
                    digital_signature=True, content_commitment=True, key_encipherment=False, data_encipherment=False,
                    key_agreement=False, key_cert_sign=False, crl_sign=False, encipher_only=False, decipher_only=False,
                ),
                critical=True,
            )
        )  # fmt: skip
        if purpose is not None:
            builder = builder.add_extension(certificates.ExtendedKeyUsage([purpose]), critical=True)
        made = builder.sign(key, hashes.SHA256())
        self.certificate = x509.Certificate.load(made.public_bytes(serialization.Encoding.DER))
        self.key = keys.PrivateKeyInfo.load(
            key.private_bytes(
                serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )


@cache
def _signatory(name: str) -> _Signatory:
    return _Signatory(name, ec.generate_private_key(ec.SECP256R1()))


@cache
def _timestamper() -> DummyTimeStamper:
    key = rsa.generate_private_key(65537, 2048)
    authority = _Signatory("Clock", key, certificates.ExtendedKeyUsageOID.TIME_STAMPING)
    return DummyTimeStamper(tsa_cert=authority.certificate, tsa_key=authority.key)


def signed(
    pdf: bytes = PLAIN, name: str = "Grace", *, field: SigFieldSpec | None = None, strict: bool = True, **meta: object
) -> bytes:
    """Returns the PDF with a signature of `name` in a field of that name."""
    by = _signatory(name)
    signer = SimpleSigner(signing_cert=by.certificate, signing_key=by.key, cert_registry=SimpleCertificateStore())
    metadata = PdfSignatureMetadata(**{"field_name": name, "md_algorithm": "sha256", **meta})
    out = BytesIO()
    PdfSigner(metadata, signer, new_field_spec=field).sign_pdf(
        IncrementalPdfFileWriter(BytesIO(pdf), strict=strict), output=out
    )
    return out.getvalue()


def certified(permission: MDPPerm) -> bytes:
    return signed(certify=True, docmdp_permissions=permission)


def _locked(action: FieldMDPAction, permission: MDPPerm | None = None) -> bytes:
    names = [] if action is FieldMDPAction.ALL else ["Total"]
    field = SigFieldSpec("Grace", field_mdp_spec=FieldMDPSpec(action, names), doc_mdp_update_value=permission)
    writer = IncrementalPdfFileWriter(BytesIO(PLAIN))
    append_signature_field(writer, field)
    prepared = BytesIO()
    writer.write(prepared)
    return signed(prepared.getvalue())


def _timestamped() -> bytes:
    out = BytesIO()
    writer = IncrementalPdfFileWriter(BytesIO(signed(subfilter=SigSeedSubFilter.PADES)))
    PdfTimeStamper(_timestamper(), field_name="Time").timestamp_pdf(
        writer, "sha256", ValidationContext(trust_roots=[_timestamper().tsa_cert]), output=out
    )
    return out.getvalue()


def _of_another_kind() -> bytes:
    """Returns a file whose signature names an obsolete SubFilter, and so has a wrong digest."""
    return signed().replace(b"/adbe.pkcs7.detached", b"/adbe.x509.rsa.sha1 ")


def _visible() -> bytes:
    return signed(field=SigFieldSpec("Grace", box=(300, 600, 500, 660)))


def _in_a_form_of_its_own() -> bytes:
    field = b"<< /Type /Annot /Subtype /Widget /FT /Sig /T (Grace) /Rect [100 300 300 330] /F 4 /P 3 0 R >>"
    pdf = file(page(entries=b"/Annots [6 0 R]"), catalog=b"/AcroForm << /Fields [6 0 R] >>", _6=field)
    return signed(pdf)


def _linearised(length: bytes) -> bytes:
    """Returns a signed file whose first object says that it is linearised and has `length` bytes."""
    first = b"99 0 obj\n<< /Linearized 1 /L %b /H [0 0] /O 3 /E 0 /N 1 /T 0 >>\nendobj\n" % length
    return signed(written(objects(), before=first))


def _of_its_length() -> bytes:
    """Returns such a file whose length is the one that it says; signatures differ by some bytes in length."""
    length = len(_linearised(b"4000"))
    return next(pdf for pdf in (_linearised(b"%d" % length) for _ in count()) if len(pdf) == length)


def _drawn_with(resources: bytes, drawing: bytes = b"/A gs 0 0 100 100 re f", **others: bytes) -> bytes:
    return signed(file(page(resources=resources), drawing=drawing, **others))


SIGNED: Mapping[str, Callable[[], bytes]] = {
    "signed": signed,
    "signed by two": lambda: signed(signed(), "Edsger"),
    "signed visibly": _visible,
    "signed in a field that was there": _in_a_form_of_its_own,
    "signed as PAdES": lambda: signed(subfilter=SigSeedSubFilter.PADES),
    "signed under the name of our seal": lambda: signed(name="Seal"),
    "signed, with object streams": lambda: signed(saved(PLAIN, object_stream_mode=ObjectStreamMode.generate)),
    "signed and timestamped": _timestamped,
    "certified, to be filled in": lambda: certified(MDPPerm.FILL_FORMS),
    "certified, to be annotated": lambda: certified(MDPPerm.ANNOTATE),
    "certified and signed": lambda: signed(certified(MDPPerm.FILL_FORMS), "Edsger"),
    "signed, with one field locked": lambda: _locked(FieldMDPAction.INCLUDE),
    "signed after it was linearised": lambda: signed(saved(PLAIN, linearize=True)),
    "signed by two after it was linearised, with object streams": lambda: signed(
        signed(saved(PLAIN, linearize=True, object_stream_mode=ObjectStreamMode.generate)), "Edsger"
    ),
    "signed, of a length that it had before": lambda: _linearised(b"600"),
}
"""All of these take another signature."""


FORBIDDEN, BROKEN, UNKNOWN, NOT_BY_THE_LETTER, READERS_DIFFER = (
    "forbids every change",
    "does not hold",
    "cannot be checked",
    "cannot be added",
    "one of the two has to give way",
)

UNSEALABLE: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "certified, and nothing may be changed": (lambda: certified(MDPPerm.NO_CHANGES), FORBIDDEN),
    "signed, with all fields locked": (lambda: _locked(FieldMDPAction.ALL), FORBIDDEN),
    "signed, and nothing may be changed": (lambda: _locked(FieldMDPAction.ALL, MDPPerm.NO_CHANGES), FORBIDDEN),
    "changed after it was signed": (lambda: signed().replace(b"Schedule", b"scheDule"), BROKEN),
    "with another page put over it after it was signed": (
        lambda: updated(signed(), {4: objects(drawing=b"0 0 100 100 re f")[4]}),
        BROKEN,
    ),
    "saved anew after it was signed": (lambda: saved(signed()), BROKEN),
    "signed, for old and new readers": (lambda: signed(hybrid(), strict=False), NOT_BY_THE_LETTER),
    "signed in a way of long ago": (_of_another_kind, UNKNOWN),
    "with rights for Adobe Reader": (
        lambda: file(catalog=b"/Perms << /UR3 6 0 R >>", _6=b"<< /Type /Sig /Filter /Adobe.PPKLite >>"),
        "rights for Adobe Reader",
    ),
}

NOT_PLAIN: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "signed, of a length that it has later": (lambda: _linearised(b"60000"), READERS_DIFFER),
    "signed, of the length that it has": (_of_its_length, READERS_DIFFER),
    "signed, of a length in another object": (lambda: _linearised(b"10 0 R"), READERS_DIFFER),
    "signed, of a length with a sign": (lambda: _linearised(b"+60000"), READERS_DIFFER),
    "signed, of a length behind a comment": (lambda: _linearised(b"%600\n60000"), READERS_DIFFER),
    "signed, of two lengths": (lambda: _linearised(b"600 /L 60000"), READERS_DIFFER),
    "signed, with transfer functions": (
        lambda: _drawn_with(
            b"<< /ExtGState << /A << /TR 6 0 R >> >> >>", _6=b"<< /FunctionType 2 /Domain [0 1] /N 1 >>"
        ),
        READERS_DIFFER,
    ),
    "signed, with a list of blend modes": (
        lambda: _drawn_with(b"<< /ExtGState << /A << /BM [/Odd /Multiply] >> >> >>"),
        READERS_DIFFER,
    ),
    "signed, in units of its own": (lambda: signed(file(page(entries=b"/UserUnit 2"))), READERS_DIFFER),
    "signed, with contents that are missing": (lambda: signed(file(page(contents=b"[null 4 0 R]"))), READERS_DIFFER),
    "signed, with a field that looks signed": (
        lambda: signed(
            file(
                page(entries=b"/Annots [6 0 R]"),
                catalog=b"/AcroForm << /Fields [6 0 R] >>",
                _6=b"<< /Type /Annot /Subtype /Widget /FT /Sig /T (Bill) /Rect [100 300 300 330] /F 4 /P 3 0 R "
                b"/AP << /N 7 0 R >> >>",
                _7=stream(b"0 0 200 30 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 200 30]"),
            )
        ),
        READERS_DIFFER,
    ),
    "signed, with an action on opening": (
        lambda: signed(file(catalog=b"/OpenAction << /S /Hide /T (Grace) >>")),
        READERS_DIFFER,
    ),
}
"""Files that take a seal, but that readers show in different ways, and that may not be written anew."""
