"""Keys on a token, in SoftHSM: the private part never leaves it."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pkcs11
import pytest
from cryptography.hazmat.primitives.serialization import load_der_public_key
from pkcs11.util.ec import encode_ec_public_key, encode_named_curve_parameters
from pkcs11.util.rsa import encode_rsa_public_key
from pkcs11.util.x509 import decode_x509_certificate

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.config import SealConfig
from adapters.sealing.factory import open_keys, open_sealer
from adapters.sealing.keys.pkcs11 import Pkcs11Key
from adapters.sealing.keys.self_test import prove_key
from adapters.sealing.sealer import PadesSealer
from domain.ports.seals import TrustAnchors
from domain.seal.seal import SealLevel
from pades.certificates import new_authority
from tests.adapters.sealing.operators import der, issued, operator, written
from tests.application.uploads import pdfs
from tests.fakes.processes import InlinePool
from tests.fakes.seals import seal
from tests.layout.reading import pdfsig
from tests.programs import program

pytestmark = pytest.mark.softhsm
MODULE = "/usr/lib/softhsm/libsofthsm2.so"
PIN = "1234"


@pytest.fixture(scope="module")
def token(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A token with a key of each kind, each with its certificate under the same name; `bare` has none."""
    folder = tmp_path_factory.mktemp("token")
    (folder / "tokens").mkdir()
    configuration = written(folder, "softhsm.conf", f"directories.tokendir = {folder / 'tokens'}\n".encode())
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SOFTHSM2_CONF", str(configuration))
        pins = ["--pin", PIN, "--so-pin", "4321"]
        command = [program("softhsm2-util"), "--init-token", "--free", "--label", "undersign", *pins]
        subprocess.run(command, check=True, capture_output=True)
        with pkcs11.lib(MODULE).get_token(token_label="undersign").open(rw=True, user_pin=PIN) as session:
            for name in ("ec", "rsa", "bare"):
                make(session, name)
        yield "undersign"


def make(session: Any, name: str) -> None:
    if name == "rsa":
        public, _ = session.generate_keypair(pkcs11.KeyType.RSA, 2048, store=True, label=name)
        encoded = encode_rsa_public_key(public)
    else:
        curve = {pkcs11.Attribute.EC_PARAMS: encode_named_curve_parameters("secp256r1")}
        parameters = session.create_domain_parameters(pkcs11.KeyType.EC, curve, local=True)
        public, _ = parameters.generate_keypair(store=True, label=name)
        encoded = encode_ec_public_key(public)
    if name == "bare":
        return
    authority = new_authority()
    own = issued(load_der_public_key(encoded), authority)  # type: ignore[arg-type]  # one of the two kinds
    for label, certificate in ((name, own), (f"above {name}", authority.certificate)):
        certificate_object = {**decode_x509_certificate(der(certificate)), pkcs11.Attribute.LABEL: label}
        session.create_object({**certificate_object, pkcs11.Attribute.TOKEN: True})


def open_key(choice: SealConfig, folder: Path) -> Pkcs11Key:
    key = open_keys(choice, folder)()
    assert isinstance(key, Pkcs11Key)
    return key


def choice(token: str, name: str, pin: str = PIN, module: str = MODULE, **others: Any) -> SealConfig:
    return SealConfig(key=f"pkcs11:token={token};object={name}?module-path={module}", passphrase=pin, **others)


@pytest.mark.poppler
@pytest.mark.parametrize("kind", ["ec", "rsa"])
async def test_a_key_on_a_token_seals(kind: str, token: str, tmp_path: Path) -> None:
    key = open_key(choice(token, kind), tmp_path)
    sealer = PadesSealer(lambda: key, lambda: TrustAnchors(seals=(key.certificate_chain.certificate,)), InlinePool())

    sealed = await seal(pdfs.pdf(), sealer)
    key.close()

    assert sealed.level is SealLevel.B_B
    assert "Signature is Valid." in pdfsig(sealed.pdf, tmp_path)


async def test_a_session_that_broke_is_opened_again(token: str, tmp_path: Path) -> None:
    key = open_key(choice(token, "ec"), tmp_path)
    key.close()  # as when the token is pulled out and put back
    await prove_key(key)
    key.close()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pin": "9999"}, "PinIncorrect.*UNDERSIGN_SEAL_PASSPHRASE"),
        ({"name": "nobody"}, "The key nobody on the token undersign"),
        ({"token": "another"}, "on the token another .* cannot be used"),
        ({"name": "bare"}, "no certificate bare beside the key"),
        ({"module": "/usr/lib/nowhere.so"}, "nowhere.so"),
        ({"module": ""}, "say where the key is: pkcs11:token=NAME"),
    ],
)
async def test_an_unusable_token_stops_the_start(
    changes: dict[str, str], says: str, token: str, tmp_path: Path
) -> None:
    with pytest.raises(KeysUnusable, match=says):
        await open_sealer(choice(**{"token": token, "name": "ec", **changes}), tmp_path, InlinePool())


async def test_the_certificate_of_another_key_stops_the_start(token: str, tmp_path: Path) -> None:
    others = written(tmp_path, "chain.pem", operator().chain())

    key = open_key(choice(token, "bare", certificate=others), tmp_path)
    with pytest.raises(KeysUnusable, match="not that of its certificate"):
        await prove_key(key)
    key.close()
