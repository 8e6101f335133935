"""Chooses the object store that the settings name, for the API and the workers alike."""

from pathlib import Path

from google.auth.exceptions import DefaultCredentialsError
from google.cloud import storage

from adapters.object_store.directory import DirectoryObjectStore
from adapters.object_store.google import GoogleObjectStore
from adapters.object_store.port import StoreUnwritable

GOOGLE = "gs://"


def open_object_store(
    address: str | None, folder: Path, key: bytes, base_url: str
) -> DirectoryObjectStore | GoogleObjectStore:
    """The store at `address` (`gs://<bucket>`, with the machine's own Google credentials); with none, in `folder`.

    Raises:
        StoreUnwritable: there are no credentials for the bucket.
    """
    if address is None:
        return DirectoryObjectStore(folder, key, base_url)
    try:
        client = storage.Client()
    except (DefaultCredentialsError, OSError) as error:
        raise StoreUnwritable(
            f"{address}: no Google credentials; name a key file in GOOGLE_APPLICATION_CREDENTIALS"
        ) from error
    return GoogleObjectStore(client.bucket(address.removeprefix(GOOGLE)))
