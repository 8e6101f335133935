"""Opens the object store that the settings name."""

from pathlib import Path

import google.auth
from google.auth.credentials import Credentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from google.auth.transport.requests import AuthorizedSession, Request
from google.cloud import storage
from requests.adapters import HTTPAdapter

from adapters.object_store.gcs import CALLS_AT_ONCE, GcsObjectStore
from adapters.object_store.gcs_signing_credentials import signing_of
from adapters.object_store.local import LocalObjectStore
from domain.ports.object_store import StoreUnwritable

GOOGLE = "gs://"

SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
"""OAuth scopes of Google's tokens, for the storage and for signatures by IAM. The account's roles limit its access."""


def open_object_store(
    address: str | None, folder: Path, key: bytes, base_url: str
) -> LocalObjectStore | GcsObjectStore:
    """Returns the store at `address` (`gs://<bucket>`), or in `folder` without one. Raises `StoreUnwritable`."""
    if address is None:
        return LocalObjectStore(folder, key, base_url)
    try:
        credentials, project = google.auth.default(scopes=SCOPES)
        signing = signing_of(credentials, Request())
        connections = _connections(credentials)
    except (DefaultCredentialsError, OSError) as error:
        raise StoreUnwritable(
            f"{address}: no Google credentials; name a key file in GOOGLE_APPLICATION_CREDENTIALS"
        ) from error
    except GoogleAuthError as error:
        raise StoreUnwritable(
            f"{address}: Google did not return the account of these credentials; try again"
        ) from error
    client = storage.Client(project=project, credentials=credentials, _http=connections)
    return GcsObjectStore(client.bucket(address.removeprefix(GOOGLE)), signing)


def _connections(credentials: Credentials) -> AuthorizedSession:
    """Returns the client's default session with a connection for each concurrent call."""
    session = AuthorizedSession(credentials)  # type: ignore[no-untyped-call]
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(pool_maxsize=CALLS_AT_ONCE))
    session.configure_mtls_channel()  # type: ignore[no-untyped-call]
    return session
