"""Keys in a hardware module (PKCS#11)."""

import asyncio
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import cast

import pkcs11
from cryptography import x509
from pkcs11.types import SignMixin
from pkcs11.util.ec import encode_ecdsa_signature

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.config import TOKEN_KEY, read_token_key
from adapters.sealing.keys.file import certificate_chain_of, read_chain
from domain.ports.seals import CertificateChain, SealKeyFailed


class _Signing(pkcs11.PrivateKey, SignMixin):
    """The library's type for a private key that can sign."""


class Pkcs11Key:
    """A key on a token. Implements `SealKey`. A broken session is reopened once before an error is raised."""

    def __init__(self, uri: str, pin: str | None, certificates: Path | None) -> None:
        """`uri` names token, object and module (RFC 7512). Raises `KeysUnusable`."""
        try:
            self._token, self._object, self._module = read_token_key(uri)
        except ValueError as error:
            raise KeysUnusable(f"UNDERSIGN_SEAL_KEY: {error}.") from error
        self._pin = pin
        self._one_at_a_time = Lock()  # a session takes one operation at a time
        self._session: pkcs11.Session | None = None
        try:
            self._key = self._open()
            self.certificate_chain = self._read_chain(certificates)
        except (pkcs11.PKCS11Error, RuntimeError) as error:
            self.close()
            raise KeysUnusable(self._describe(error)) from error
        except KeysUnusable:
            self.close()
            raise

    def close(self) -> None:
        """Ends the session, and with it the login."""
        if self._session is not None:
            with suppress(pkcs11.PKCS11Error):  # it may have ended by itself
                self._session.close()

    async def sign(self, content: bytes) -> bytes:
        try:
            return await asyncio.to_thread(self._sign, content)
        except (pkcs11.PKCS11Error, RuntimeError) as error:
            raise SealKeyFailed(self._describe(error)) from error

    def _sign(self, content: bytes) -> bytes:
        with self._one_at_a_time:
            try:
                return self._signed(content)
            except pkcs11.PKCS11Error:
                self._key = self._open()
                return self._signed(content)

    def _signed(self, content: bytes) -> bytes:
        if self._key.key_type is pkcs11.KeyType.EC:
            raw = self._key.sign(sha256(content).digest(), mechanism=pkcs11.Mechanism.ECDSA)
            return bytes(encode_ecdsa_signature(raw))
        return bytes(self._key.sign(content, mechanism=pkcs11.Mechanism.SHA256_RSA_PKCS))

    def _open(self) -> _Signing:
        self.close()
        token = pkcs11.lib(self._module).get_token(token_label=self._token)
        session = self._session = token.open(user_pin=self._pin)
        key = session.get_key(object_class=pkcs11.ObjectClass.PRIVATE_KEY, label=self._object)
        if key.key_type not in {pkcs11.KeyType.EC, pkcs11.KeyType.RSA}:
            raise KeysUnusable(f"The key {self._object} is neither RSA nor EC; PDF readers do not know it.")
        return cast(_Signing, key)

    def _read_chain(self, certificates: Path | None) -> CertificateChain:
        if certificates is not None:
            return read_chain(certificates)
        template = {pkcs11.Attribute.CLASS: pkcs11.ObjectClass.CERTIFICATE}
        certificates_on_token = [
            (one[pkcs11.Attribute.LABEL], x509.load_der_x509_certificate(one[pkcs11.Attribute.VALUE]))
            for one in self._key.session.get_objects(template)
        ]
        own_ones = [certificate for label, certificate in certificates_on_token if label == self._object]
        if not own_ones:
            raise KeysUnusable(
                f"There is no certificate {self._object} beside the key on the token {self._token}. Put it there, or "
                f"set UNDERSIGN_SEAL_CERTIFICATE to a PEM file with it."
            )
        return certificate_chain_of(own_ones[0], [certificate for _, certificate in certificates_on_token])

    def _describe(self, error: Exception) -> str:
        reason = str(error) or type(error).__name__
        return (
            f"The key {self._object} on the token {self._token} ({self._module}) cannot be used: {reason}. Check "
            f"UNDERSIGN_SEAL_KEY ({TOKEN_KEY}) and the PIN in UNDERSIGN_SEAL_PASSPHRASE."
        )
