"""Keys in Google Cloud KMS."""

import asyncio
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from google.api_core.exceptions import GoogleAPIError, NotFound, PermissionDenied
from google.api_core.retry import Retry
from google.auth.exceptions import GoogleAuthError
from google.cloud.kms_v1 import KeyManagementServiceClient
from google.cloud.kms_v1.types import AsymmetricSignRequest, AsymmetricSignResponse, CryptoKeyVersion, Digest
from google_crc32c import value as crc32c

from adapters.keys.secret_keys import KeysUnusable
from adapters.sealing.keys.file import read_chain
from domain.ports.seals import SealKeyFailed

SECONDS = 10.0
"""Timeout of a request to Cloud KMS in seconds. A response usually takes a tenth of a second."""

_USABLE = ("EC_SIGN_P256_SHA256", *(f"RSA_SIGN_PKCS1_{bits}_SHA256" for bits in (2048, 3072, 4096)))


class KmsKey:
    """One version of a key. Implements `SealKey`."""

    def __init__(self, name: str, certificates: Path | None, client: KeyManagementServiceClient | None = None) -> None:
        """Opens the key version `name`: `projects/.../cryptoKeyVersions/1`. Raises `KeysUnusable`."""
        if certificates is None:
            raise KeysUnusable(
                "A key in Cloud KMS comes without a certificate. Set UNDERSIGN_SEAL_CERTIFICATE to a PEM file with it, "
                "and those above it."
            )
        self._name = name
        self.certificate_chain = read_chain(certificates)
        own = x509.load_der_x509_certificate(self.certificate_chain.certificate)
        try:
            self._client = client or KeyManagementServiceClient()
            found = self._client.get_public_key(name=name, timeout=SECONDS)
        except (GoogleAPIError, GoogleAuthError, ValueError) as error:
            raise KeysUnusable(f"{_describe(name, error)} Check UNDERSIGN_SEAL_KEY and the credentials.") from error
        if found.algorithm not in [getattr(CryptoKeyVersion.CryptoKeyVersionAlgorithm, name) for name in _USABLE]:
            raise KeysUnusable(f"{name} does not sign as it must. Use one of {', '.join(_USABLE)}.")
        form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        if load_pem_public_key(found.pem.encode()).public_bytes(*form) != own.public_key().public_bytes(*form):
            raise KeysUnusable(f"The first certificate in {certificates} is not that of the key {name}.")

    async def sign(self, content: bytes) -> bytes:
        digest = sha256(content).digest()
        try:
            answer = await asyncio.to_thread(self._ask, digest)
        except (GoogleAPIError, GoogleAuthError) as error:
            raise SealKeyFailed(_describe(self._name, error)) from error
        if not answer.verified_digest_crc32c or crc32c(answer.signature) != answer.signature_crc32c:
            raise SealKeyFailed("The request to Cloud KMS, or its response, was corrupted in transit.")
        return bytes(answer.signature)

    def _ask(self, digest: bytes) -> AsymmetricSignResponse:
        request = AsymmetricSignRequest(name=self._name, digest=Digest(sha256=digest), digest_crc32c=crc32c(digest))
        return self._client.asymmetric_sign(request=request, retry=Retry(timeout=SECONDS), timeout=SECONDS)


def _describe(name: str, error: Exception) -> str:
    if isinstance(error, NotFound):
        return f"There is no key {name}."
    if isinstance(error, PermissionDenied):
        return f"The key {name} may not be used by this service (roles/cloudkms.signerVerifier is needed)."
    return f"Cloud KMS does not sign with {name} now: {type(error).__name__}."
