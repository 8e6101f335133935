"""Service accounts of Google as the tests need them: with a key file, and with tokens from a server of their own."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from google.oauth2 import service_account

from tests.adapters.faulty_proxy import answer, faulty_proxy

EMAIL = "signer@example.iam.gserviceaccount.com"


@dataclass(frozen=True)
class Account:
    """A service account; `token_uri` is where tokens are given for its key."""

    key: rsa.RSAPrivateKey
    token_uri: str = "https://example.com/token"
    email: str = EMAIL

    def key_file(self) -> dict[str, Any]:
        """What Google hands out as the key of an account."""
        private = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return {
            "type": "service_account",
            "project_id": "test",
            "private_key_id": "1",
            "private_key": private.decode(),
            "client_email": self.email,
            "client_id": "1",
            "token_uri": self.token_uri,
        }

    def credentials(self) -> service_account.Credentials:
        """Those of whoever has the key file."""
        return service_account.Credentials.from_service_account_info(self.key_file())  # type: ignore[no-untyped-call]  # the library has no types there

    def impersonation_file(self) -> dict[str, Any]:
        """Credentials of another account, for which this one acts: nobody has a key of it, so Google signs for it."""
        url = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts"
        return {
            "type": "impersonated_service_account",
            "service_account_impersonation_url": f"{url}/other@example.iam.gserviceaccount.com:generateAccessToken",
            "source_credentials": self.key_file(),
        }

    def sign(self, payload: str) -> str:
        """What `signBlob` answers for a payload: base64 in, base64 out."""
        signature = self.key.sign(base64.b64decode(payload), padding.PKCS1v15(), hashes.SHA256())
        return base64.b64encode(signature).decode()


def new_account(token_uri: str = "https://example.com/token") -> Account:  # noqa: S107  # an address
    return Account(rsa.generate_private_key(65537, 2048), token_uri)


@contextmanager
def token_server(host: str = "127.0.0.1") -> Iterator[str]:
    """The address of a server that gives tokens to any client, for the duration of the block."""
    with faulty_proxy("http://127.0.0.1:1", host) as server:
        token = {"access_token": "a token", "expires_in": 3600, "token_type": "Bearer"}
        server.faults.append(lambda _asked, _forward: answer(token))
        yield f"{server.address}/token"
