"""Key files: created once, private, and rotated: what a former key made holds until that key is retired."""

import re
import stat
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from inspect import isawaitable
from pathlib import Path
from typing import Any

import pytest

from adapters.all_keys import ensure_all, read_all
from adapters.database.repositories.form_drafts import DatabaseFormDrafts
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from adapters.keys.access_token_keys import FileAccessKeys, rotate_keys
from adapters.keys.secret_keys import (
    ACCESS_TOKENS,
    KEY_FILES,
    ROTATIONS,
    KeysUnusable,
    ensure_keys,
    read_key,
    retire_file,
    rotate_file,
)
from adapters.object_store.local import LocalObjectStore
from adapters.sealing.keys.local_ca import ensure_local_keys
from application.operator_tokens import Operator, Operators
from domain.audit.deletion_receipts import InvalidReceipt, public_key_of, read_receipt, sign_receipt
from domain.ports.object_store import Download, DownloadNotValid
from domain.session.signing_links import Link, find_by_link, link_hash, link_secret
from domain.shared.errors import LinkNotValid
from domain.shared.ids import RecipientId, RecipientRef
from tests import ROOT
from tests.builders import NOON, ORGANISATION, audit, created, identifier
from tests.databases import MemoryDatabase
from web.errors import FormOutOfDate
from web.signing.recipient_access import RecipientCookie, RecipientCookies

FILES = tuple(KEY_FILES)
ADA = RecipientId(identifier("ada"))
BASE_URL = "https://sign.example.com"

Ensure = Callable[[Path], object]
ENSURE: dict[str, Ensure] = {
    "secret keys": ensure_keys,
    "access tokens": lambda folder: FileAccessKeys(folder).read(),
    "seal": lambda folder: ensure_local_keys(folder).current().certificate_chain,
}
EVERY_FOLDER = pytest.mark.parametrize("ensure", ENSURE.values(), ids=ENSURE)


@EVERY_FOLDER
def test_keys_are_created_by_the_first_start_even_of_concurrent_ones(tmp_path: Path, ensure: Ensure) -> None:
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda _: ensure(tmp_path / "keys"), range(16)))
    assert [keys for keys in (*results, ensure(tmp_path / "keys")) if keys != results[0]] == []


@EVERY_FOLDER
def test_keys_are_readable_by_their_owner_only(tmp_path: Path, ensure: Ensure) -> None:
    ensure(tmp_path / "keys")
    if ensure is ENSURE["access tokens"]:
        rotate_keys(tmp_path / "keys", NOON, timedelta(hours=1))
    modes = {path.is_dir(): stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "keys").rglob("*")}
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700
    assert modes[False] == 0o600
    assert modes.get(True, 0o700) == 0o700


@EVERY_FOLDER
def test_a_folder_that_cannot_be_created_is_named(tmp_path: Path, ensure: Ensure) -> None:
    (tmp_path / "keys").write_text("a file")
    with pytest.raises(KeysUnusable, match="keys"):
        ensure(tmp_path / "keys")


def test_secret_keys_are_different_and_never_shown(tmp_path: Path) -> None:
    keys = ensure_keys(tmp_path / "keys")
    assert len({keys.link, keys.cookie, keys.download}) == 3
    assert repr(keys) == "SecretKeys()"
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == sorted(FILES)


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_key_is_named_with_what_to_do(tmp_path: Path, file: str) -> None:
    ensure_keys(tmp_path)
    (tmp_path / file).write_bytes(b"damaged")
    with pytest.raises(KeysUnusable, match=rf"{file}.*backup"):
        ensure_keys(tmp_path)


Check = Callable[[bytes], Any]
"""Checks with another content of the key file what was made: true, or awaits to true, if it holds."""


async def a_link(key: bytes, _: Path) -> Check:
    session = created().session.send(audit()).session
    ada = session.recipients[0]
    shown = link_hash(link_secret(key, session.session_id, ada.recipient_id, ada.invitation.number))
    return lambda other: find_by_link(other, session, shown) == ada


async def a_form(key: bytes, _: Path) -> Check:
    visit = RecipientCookie(Link(ORGANISATION, created().session.session_id, "0" * 64), ADA)
    token = RecipientCookies(key, BASE_URL).form_token(visit)
    return lambda other: RecipientCookies(other, BASE_URL).check_form_token(visit, token) is None  # type: ignore[func-returns-value]  # or it raises


async def a_download(key: bytes, folder: Path) -> Check:
    store = LocalObjectStore(folder / "objects", key, BASE_URL)
    reference = await store.put("organisations/one", b"pages", "application/pdf")
    address = await store.signed_url(reference, Download("one.pdf", "application/pdf", 600))
    token = address.rpartition("/")[2]
    return lambda other: LocalObjectStore(folder / "objects", other, BASE_URL).read_signed(token)


async def a_draft(key: bytes, _: Path) -> Check:
    database, place = MemoryDatabase(), RecipientRef(ORGANISATION, created().session.session_id, ADA)
    await DatabaseFormDrafts(database.engine, key).save(place, b"half a form", NOON)
    return lambda other: DatabaseFormDrafts(database.engine, other).find(place)


async def a_secret_of_callbacks(key: bytes, _: Path) -> Check:
    database = MemoryDatabase()
    await DatabaseWebhookSecrets(database.engine, key).signing(ORGANISATION, NOON)
    return lambda other: DatabaseWebhookSecrets(database.engine, other).signing(ORGANISATION, NOON)


async def a_token_of_an_operator(key: bytes, _: Path) -> Check:
    now = datetime.now(UTC)
    token = Operators(key).token(Operator("ada", now + timedelta(hours=1)))
    return lambda other: Operators(other).find(token, now)


async def a_receipt(key: bytes, _: Path) -> Check:
    receipt = sign_receipt(key, {"sessionId": "one"})
    return lambda other: read_receipt(public_key_of(other), receipt) == {"sessionId": "one"}


MADE: dict[str, Callable[[bytes, Path], Awaitable[Check]]] = {
    "link": a_link,
    "cookie": a_form,
    "download": a_download,
    "draft": a_draft,
    "webhook": a_secret_of_callbacks,
    "operator": a_token_of_an_operator,
    "receipt": a_receipt,
}


async def holds(check: Check, key: bytes) -> bool:
    try:
        result = check(key)
        return bool(await result if isawaitable(result) else result)
    except (LinkNotValid, FormOutOfDate, DownloadNotValid, KeysUnusable, InvalidReceipt):
        return False


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    ensure_all(tmp_path / "keys", has_local_seal=True)
    return tmp_path / "keys"


def test_every_key_file_has_a_rotation() -> None:
    names = {file.partition(".")[0] for file in KEY_FILES if file != ACCESS_TOKENS}
    assert names == set(ROTATIONS) == set(MADE)


@pytest.mark.parametrize("name", sorted(ROTATIONS))
async def test_former_keys_hold_until_they_are_retired(keys: Path, name: str) -> None:
    file, make = ROTATIONS[name], MADE[name]
    before = read_key(keys, file)
    of_before = await make(before, keys.parent)

    assert rotate_file(keys, name) == 1
    rotated = read_key(keys, file)
    of_rotated = await make(rotated, keys.parent)
    assert [await holds(of_before, rotated), await holds(of_rotated, rotated)] == [True, True]
    assert not await holds(of_rotated, before)

    assert rotate_file(keys, name) == 2
    assert await holds(of_before, read_key(keys, file))

    assert retire_file(keys, name) == 0
    retired = read_key(keys, file)
    of_retired = await make(retired, keys.parent)
    assert [await holds(check, retired) for check in (of_before, of_rotated, of_retired)] == [False, False, True]
    read_all(keys, has_local_seal=True)
    assert (keys / file).stat().st_mode & 0o777 == 0o600


async def test_reencrypted_secrets_of_callbacks_outlive_their_key(keys: Path) -> None:
    database = MemoryDatabase()
    secrets = await DatabaseWebhookSecrets(database.engine, read_key(keys, "webhook.key")).signing(ORGANISATION, NOON)
    rotate_file(keys, "webhook")

    await DatabaseWebhookSecrets(database.engine, read_key(keys, "webhook.key")).reencrypt()
    retire_file(keys, "webhook")

    after = DatabaseWebhookSecrets(database.engine, read_key(keys, "webhook.key"))
    assert await after.signing(ORGANISATION, NOON) == secrets


def test_a_former_key_of_receipts_can_sign_none(keys: Path) -> None:
    before = (keys / "receipt.pem").read_bytes()
    rotate_file(keys, "receipt")

    after = (keys / "receipt.pem").read_bytes()
    assert before not in after
    assert after.count(b"PRIVATE KEY-----") == 2  # its beginning and its end
    assert after.count(b"PUBLIC KEY-----") == 2


@pytest.mark.parametrize("name", sorted(ROTATIONS))
def test_a_damaged_or_missing_key_is_not_rotated(keys: Path, name: str) -> None:
    path = keys / ROTATIONS[name]
    path.write_bytes(b"no key")
    with pytest.raises(KeysUnusable):
        rotate_file(keys, name)
    path.unlink()
    with pytest.raises(KeysUnusable):
        rotate_file(keys, name)
    assert not path.exists()


def test_the_table_of_leaks_names_every_key() -> None:
    text = (ROOT / "docs" / "keys.md").read_text(encoding="utf-8")
    section = text.partition("## Leaked keys\n")[2].partition("\n## ")[0]
    rows = set(re.findall(r"^\| `([^`]+)`", section, re.MULTILINE))
    assert rows == {*KEY_FILES, "seal/", "UNDERSIGN_PAYLOAD_KEYS", "UNDERSIGN_SEAL_KEY", "client secrets"}
