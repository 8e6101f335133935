"""A timestamp authority on this machine, over HTTP, with all that can be wrong with one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from asn1crypto import keys as asn1_keys
from asn1crypto import tsp
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper

from pades.certificates import KeyAndCertificate, new_authority, new_crl
from tests.tcp_ports import QuietPort


@cache
def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


Behaviour = Callable[["TimestampServer", bytes], tuple[int, bytes] | None]


class TimestampServer:
    """Answers requests as its `behaviour` says; lists of revoked certificates are at `/crl`."""

    def __init__(self) -> None:
        self.root = new_authority()
        self.behaviour: Behaviour = granting
        self.requests: list[bytes] = []
        self.crls_fetched = 0
        self._port = QuietPort()
        self.let_go = Event()
        """Set to end requests that hang."""
        self._server: ThreadingHTTPServer | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port.number}/"

    @property
    def roots(self) -> tuple[bytes, ...]:
        return (self.root.certificate.public_bytes(Encoding.DER),)

    def roots_pem(self) -> bytes:
        return self.root.certificate.public_bytes(Encoding.PEM)

    def start(self) -> None:
        self._port.release()
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port.number), _handler(self))
        self._server.daemon_threads = True
        self._stamper = _stamper(self.root, f"{self.address}crl")
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Refuses connections from now on; `start` listens on the same port again."""
        self.let_go.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
            self._port.hold()

    def let_port_go(self) -> None:
        self._port.release()

    def grant(self, request: bytes) -> tsp.TimeStampResp:
        return self._stamper.request_tsa_response(tsp.TimeStampReq.load(request))

    def crl(self) -> bytes:
        self.crls_fetched += 1
        return new_crl(self.root)


def granting(server: TimestampServer, request: bytes) -> tuple[int, bytes]:
    return 200, server.grant(request).dump()


def failing(*_: object) -> tuple[int, bytes]:
    return 500, b"no"


def hanging(server: TimestampServer, _request: bytes) -> None:
    server.let_go.wait(60)


def of_another_authority(_server: TimestampServer, request: bytes) -> tuple[int, bytes]:
    other = _stamper(new_authority(), "http://127.0.0.1:1/crl")
    return 200, other.request_tsa_response(tsp.TimeStampReq.load(request)).dump()


def answering(content: bytes) -> Behaviour:
    return lambda _server, _request: (200, content)


def changing(name: str, value: object, *path: str) -> Behaviour:
    """Grants a timestamp for another request, in which that member has this value."""

    def behave(server: TimestampServer, request: bytes) -> tuple[int, bytes]:
        changed = tsp.TimeStampReq.load(request)
        (changed[path[0]] if path else changed)[name] = value
        return granting(server, changed.dump(force=True))

    return behave


_STATUS = tsp.PKIStatusInfo({"status": "rejection", "status_string": ["out of quota"]}).dump()
REFUSAL = bytes([0x30, len(_STATUS)]) + _STATUS
"""A refusal without a token, which the library requires."""


@contextmanager
def serving_timestamps() -> Iterator[TimestampServer]:
    server = TimestampServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()
        server.let_port_go()


def _stamper(root: KeyAndCertificate, crl_address: str) -> DummyTimeStamper:
    certificate = _certificate(root, crl_address)
    key = _key().private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return DummyTimeStamper(
        asn1.Certificate.load(certificate.public_bytes(Encoding.DER)),
        asn1_keys.PrivateKeyInfo.load(key),
        certs_to_embed=[asn1.Certificate.load(root.certificate.public_bytes(Encoding.DER))],
    )


def _certificate(root: KeyAndCertificate, crl_address: str) -> x509.Certificate:
    now = datetime.now(UTC)
    point = x509.DistributionPoint([x509.UniformResourceIdentifier(crl_address)], None, None, None)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A timestamp authority of tests")]))
        .issuer_name(root.certificate.subject)
        .public_key(_key().public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        .add_extension(x509.CRLDistributionPoints([point]), critical=False)
        .sign(root.key, hashes.SHA256())
    )


def _handler(server: TimestampServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = self.rfile.read(int(self.headers["Content-Length"]))
            server.requests.append(request)
            answer = server.behaviour(server, request)
            if answer is not None:
                self._answer(*answer)

        def do_GET(self) -> None:
            self._answer(200, server.crl())

        def _answer(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header(
                "Content-Type", "application/timestamp-reply" if self.command == "POST" else "application/pkix-crl"
            )
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: Any) -> None:
            """Nothing."""

    return Handler
