"""A stand-in for Google Cloud KMS: the real messages over a real connection, and signatures by keys of its own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from google.cloud.kms_v1 import KeyManagementServiceClient
from google.cloud.kms_v1.services.key_management_service.transports import KeyManagementServiceGrpcTransport
from google.cloud.kms_v1.types import (
    AsymmetricSignRequest,
    AsymmetricSignResponse,
    CryptoKeyVersion,
    GetPublicKeyRequest,
    PublicKey,
)
from google_crc32c import value as crc32c

from adapters.sealing.keys.file import PrivateKey

Algorithm = CryptoKeyVersion.CryptoKeyVersionAlgorithm
NAME = "projects/p/locations/europe/keyRings/r/cryptoKeys/seal/cryptoKeyVersions/1"


@dataclass
class Kms:
    """One key. `refusal` is what it answers instead of signing; `damages` has it send a damaged signature."""

    key: PrivateKey
    client: KeyManagementServiceClient
    algorithm: Algorithm
    refusal: grpc.StatusCode | None = None
    damages: bool = False
    asked: list[AsymmetricSignRequest] = field(default_factory=list)

    def public(self, request: GetPublicKeyRequest, context: Any) -> PublicKey:
        if request.name != NAME:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such key")
        pem = self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return PublicKey(pem=pem.decode(), algorithm=self.algorithm, name=NAME)

    def sign(self, request: AsymmetricSignRequest, context: Any) -> AsymmetricSignResponse:
        self.asked.append(request)
        if self.refusal:
            context.abort(self.refusal, "not now")
        hashed, digest = Prehashed(hashes.SHA256()), request.digest.sha256
        signature = (
            self.key.sign(digest, padding.PKCS1v15(), hashed)
            if isinstance(self.key, rsa.RSAPrivateKey)
            else self.key.sign(digest, ec.ECDSA(hashed))
        )
        return AsymmetricSignResponse(
            signature=signature[:-1] + bytes([signature[-1] ^ 1]) if self.damages else signature,
            signature_crc32c=crc32c(signature),
            verified_digest_crc32c=request.digest_crc32c == crc32c(digest),
            name=NAME,
        )


@contextmanager
def serving_kms(key: PrivateKey, algorithm: Algorithm) -> Iterator[Kms]:
    """A server on this machine, and a client of the real library that is connected to it."""
    server = grpc.server(ThreadPoolExecutor(2))
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    with grpc.insecure_channel(address) as channel:
        client = KeyManagementServiceClient(transport=KeyManagementServiceGrpcTransport(channel=channel))
        kms = Kms(key, client, algorithm)
        methods = {
            "GetPublicKey": _method(kms.public, GetPublicKeyRequest, PublicKey),
            "AsymmetricSign": _method(kms.sign, AsymmetricSignRequest, AsymmetricSignResponse),
        }
        handler = grpc.method_handlers_generic_handler("google.cloud.kms.v1.KeyManagementService", methods)
        server.add_generic_rpc_handlers((handler,))
        server.start()
        yield kms
    server.stop(None).wait()


def _method(answer: Any, request: Any, response: Any) -> Any:
    return grpc.unary_unary_rpc_method_handler(answer, request.deserialize, response.serialize)
