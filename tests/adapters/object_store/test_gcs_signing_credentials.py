"""Addresses of downloads from Google, held against the public key as the storage would."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from google.auth.credentials import AnonymousCredentials, Credentials
from google.cloud import storage

from adapters.object_store.gcs import GcsObjectStore
from adapters.object_store.gcs_signing_credentials import ASK_SECONDS, TimeoutRequest, signing_of
from domain.ports.object_store import Download, ObjectStoreError, StoreUnwritable
from domain.shared.file_names import attachment
from domain.shared.object_names import make_reference
from tests.adapters.google_accounts import EMAIL, Account, lets_in, new_account

PDF = "application/pdf"
NAME = "organisations/one/sessions/two/files/three/signed.pdf"
AS_PDF = Download(file_name="Verträge & more.pdf", content_type=PDF, lifetime=300)


class Attached(Credentials):
    """Credentials of a machine: a token, no key, and an account that is known once they were used."""

    def __init__(self, learned: str | None = EMAIL) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.service_account_email = "default"
        self._learned = learned
        self.asked_by: object = None

    def refresh(self, request: object) -> None:
        self.asked_by = request
        self.token, self.service_account_email = "a token", self._learned or ""


class Iam:
    """Google's IAM, as far as it signs for `account`; answers with `status`."""

    def __init__(self, account: Account, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._account, self._status = account, status
        self.asked: list[tuple[str, Mapping[str, str]]] = []
        self.patience: list[float] = []

    def __call__(self, url: str, method: str, body: bytes, headers: Mapping[str, str], timeout: float = 120) -> Any:
        self.asked.append((url, headers))
        self.patience.append(timeout)
        answer = {"keyId": "1", "signedBlob": self._account.sign(json.loads(body)["payload"])}
        return SimpleNamespace(status=self._status, data=json.dumps(answer).encode())


@pytest.fixture(scope="module")
def account() -> Account:
    return new_account()


def store_of(credentials: Credentials, iam: object = None) -> GcsObjectStore:
    bucket = storage.Client("test", AnonymousCredentials()).bucket("bucket")  # type: ignore[no-untyped-call]
    return GcsObjectStore(bucket, signing_of(credentials, iam))  # type: ignore[arg-type]


@pytest.fixture(params=["a key", "IAM"])
async def address(request: pytest.FixtureRequest, account: Account) -> str:
    """The address of a download, signed in each way."""
    store = store_of(Attached(), Iam(account)) if request.param == "IAM" else store_of(account.credentials())
    return await store.signed_url(make_reference(NAME, b"content"), AS_PDF)


def test_a_url_is_valid_for_reading_until_it_expires(address: str, account: Account) -> None:
    now, key = datetime.now(UTC), account.key.public_key()

    assert lets_in(address, key, now)
    assert lets_in(address, key, now + timedelta(seconds=290))
    assert not lets_in(address, key, now + timedelta(seconds=301))
    assert not lets_in(address, key, now, method="PUT")
    assert not lets_in(address, new_account().key.public_key(), now)


def test_a_url_names_object_file_name_and_type(address: str) -> None:
    url = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}

    assert (url.netloc, url.path) == ("storage.googleapis.com", f"/bucket/{NAME}")
    assert query["response-content-type"] == PDF
    assert query["response-content-disposition"] == attachment("Verträge & more.pdf")
    assert query["X-Goog-Credential"].startswith(f"{EMAIL}/")


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("three/signed.pdf", "four/signed.pdf"),
        ("X-Goog-Expires=300", "X-Goog-Expires=604800"),
        (quote("application/pdf", safe=""), quote("text/html", safe="")),
        ("attachment", "inline"),
        ("storage.googleapis.com", "storage.example.com"),
    ],
)
def test_a_changed_url_is_invalid(address: str, account: Account, part: str, other: str) -> None:
    changed = address.replace(part, other)
    assert changed != address
    assert not lets_in(changed, account.key.public_key(), datetime.now(UTC))


async def test_without_a_key_google_signs_for_the_account_in_short_requests(account: Account) -> None:
    iam, machine = Iam(account), Attached()
    await store_of(machine, iam).signed_url(make_reference(NAME, b"content"), AS_PDF)

    [(url, headers)] = iam.asked
    assert url.endswith(f"/serviceAccounts/{EMAIL}:signBlob")
    assert headers["authorization"] == "Bearer a token"
    assert iam.patience == [ASK_SECONDS]
    assert isinstance(machine.asked_by, TimeoutRequest)


async def test_the_log_names_the_role_that_signing_needs(account: Account, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(StoreUnwritable, match=r"roles/iam\.serviceAccountTokenCreator"):
        await store_of(Attached(), Iam(account, HTTPStatus.FORBIDDEN)).signed_url(
            make_reference(NAME, b"content"), AS_PDF
        )
    assert "roles/iam.serviceAccountTokenCreator" in capsys.readouterr().out


async def test_a_failed_signature_does_not_blame_the_bucket(account: Account) -> None:
    with pytest.raises(ObjectStoreError, match="no token or signature"):
        await store_of(Attached(), Iam(account, HTTPStatus.BAD_REQUEST)).signed_url(
            make_reference(NAME, b"content"), AS_PDF
        )


async def test_a_lifetime_longer_than_that_of_signatures_is_refused(account: Account) -> None:
    key = account.credentials()

    assert await store_of(key).sign_trial(make_reference(NAME, b"content"), 43_201)
    assert await store_of(Attached(), Iam(account)).sign_trial(make_reference(NAME, b"content"), 43_200)
    with pytest.raises(StoreUnwritable, match=r"UNDERSIGN_DOWNLOAD_LIFETIME is 43201.*43200 seconds at most"):
        await store_of(Attached(), Iam(account)).sign_trial(make_reference(NAME, b"content"), 43_201)


def test_credentials_without_a_service_account_are_refused() -> None:
    with pytest.raises(StoreUnwritable, match="GOOGLE_APPLICATION_CREDENTIALS"):
        store_of(Attached(learned=None))
