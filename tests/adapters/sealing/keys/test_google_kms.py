"""Keys in Cloud KMS, through Google's own library and a server that really signs."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.config import SealConfig
from adapters.sealing.factory import open_sealer
from adapters.sealing.keys import google_kms as kms_module
from adapters.sealing.keys.google_kms import KmsKey
from adapters.sealing.keys.self_test import prove_key
from adapters.sealing.sealer import PadesSealer
from domain.ports.seals import SealKeyFailed, TrustAnchors
from domain.seal.seal import SealLevel
from tests.adapters.sealing.kms_server import NAME, Algorithm, Kms, serving_kms
from tests.adapters.sealing.operators import Operator, operator, written
from tests.application.uploads import pdfs
from tests.fakes.processes import InlinePool
from tests.fakes.seals import seal
from tests.layout.reading import pdfsig

ALGORITHMS = {"ec": Algorithm.EC_SIGN_P256_SHA256, "rsa": Algorithm.RSA_SIGN_PKCS1_2048_SHA256}


@pytest.fixture(params=["ec", "rsa"])
def owner(request: pytest.FixtureRequest) -> Operator:
    return operator(request.param)


@pytest.fixture
def kms(owner: Operator) -> Iterator[Kms]:
    kind = "ec" if owner.key.key_size == 256 else "rsa"
    with serving_kms(owner.key, ALGORITHMS[kind]) as served:
        yield served


@pytest.fixture
def chain(owner: Operator, tmp_path: Path) -> Path:
    return written(tmp_path, "chain.pem", owner.chain())


@pytest.mark.poppler
async def test_a_key_in_the_cloud_seals_and_only_a_digest_is_sent_there(kms: Kms, chain: Path, tmp_path: Path) -> None:
    key = KmsKey(NAME, chain, kms.client)
    await prove_key(key)
    sealer = PadesSealer(lambda: key, lambda: TrustAnchors(seals=(key.certificate_chain.certificate,)), InlinePool())

    sealed = await seal(pdfs.pdf(), sealer)

    assert sealed.level is SealLevel.B_B
    assert "Signature is Valid." in pdfsig(sealed.pdf, tmp_path)
    assert {len(request.digest.sha256) for request in kms.asked} == {32}
    assert not any(request.data for request in kms.asked)


@pytest.mark.parametrize("refusal", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.PERMISSION_DENIED])
async def test_a_refusal_to_sign_is_reported(
    refusal: grpc.StatusCode, kms: Kms, chain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = KmsKey(NAME, chain, kms.client)
    kms.refusal = refusal
    monkeypatch.setattr(kms_module, "SECONDS", 0.5)  # for which the library tries again

    with pytest.raises(SealKeyFailed, match=r"Cloud KMS does not sign|may not be used by this service"):
        await key.sign(b"anything")


async def test_a_damaged_answer_is_no_signature(kms: Kms, chain: Path) -> None:
    key = KmsKey(NAME, chain, kms.client)
    kms.damages = True
    with pytest.raises(SealKeyFailed, match="corrupted in transit"):
        await key.sign(b"anything")


def test_a_key_that_is_not_there_stops_the_start(kms: Kms, chain: Path) -> None:
    with pytest.raises(KeysUnusable, match="There is no key projects/p/nowhere"):
        KmsKey("projects/p/nowhere", chain, kms.client)


def test_the_certificate_of_another_key_stops_the_start(kms: Kms, tmp_path: Path) -> None:
    others = written(tmp_path, "others.pem", operator().chain())
    with pytest.raises(KeysUnusable, match=r"others\.pem is not that of the key"):
        KmsKey(NAME, others, kms.client)


def test_a_key_that_signs_otherwise_stops_the_start(kms: Kms, chain: Path) -> None:
    kms.algorithm = Algorithm.EC_SIGN_P384_SHA384
    with pytest.raises(KeysUnusable, match=r"does not sign as it must\. Use one of EC_SIGN_P256_SHA256"):
        KmsKey(NAME, chain, kms.client)


async def test_a_missing_certificate_is_reported(tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match="Set UNDERSIGN_SEAL_CERTIFICATE"):
        await open_sealer(SealConfig(key=f"gcpkms:{NAME}"), tmp_path, InlinePool())
