"""Every key can be replaced: what the former key made holds until that key is retired."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.database.repositories.signing_pages import DatabaseFormDrafts
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from adapters.keys.key_folder import ensure_all, read_all
from adapters.keys.secret_keys import (
    ACCESS_TOKENS,
    KEY_FILES,
    ROTATIONS,
    KeysUnusable,
    read_key,
    retire_file,
    rotate_file,
)
from adapters.object_store.local import LocalObjectStore
from application.operator_tokens import Operator, Operators
from domain.audit.deletion_receipts import InvalidReceipt, public_key_of, read_receipt, sign_receipt
from domain.session.signing_links import Link, find_by_link, link_hash, link_secret
from domain.shared.errors import LinkNotValid
from domain.shared.ids import RecipientId
from ports.object_store import Download, DownloadNotValid
from ports.signing_pages import RecipientRef
from tests import ROOT
from tests.builders import NOON, ORGANISATION, audit, created, identifier
from tests.databases import MemoryDatabase
from web.errors import FormOutOfDate
from web.signing.recipient_access import RecipientCookie, RecipientCookies

DOCS = ROOT / "docs" / "keys.md"
ADA = RecipientId(identifier("ada"))
BASE_URL = "https://sign.example.com"

Holds = Callable[[bytes], Awaitable[bool]]
"""Whether what was made with one content of a key file holds with another."""


async def a_link(key: bytes, _: Path) -> Holds:
    session = created().session.send(audit()).session
    ada = session.recipients[0]
    shown = link_hash(link_secret(key, session.session_id, ada.recipient_id, ada.invitation.number))

    async def holds(other: bytes) -> bool:
        try:
            return find_by_link(other, session, shown) == ada
        except LinkNotValid:
            return False

    return holds


async def a_form(key: bytes, _: Path) -> Holds:
    visit = RecipientCookie(Link(ORGANISATION, created().session.session_id, "0" * 64), ADA)
    token = RecipientCookies(key, BASE_URL).form_token(visit)

    async def holds(other: bytes) -> bool:
        try:
            RecipientCookies(other, BASE_URL).check_form_token(visit, token)
        except FormOutOfDate:
            return False
        return True

    return holds


async def a_download(key: bytes, folder: Path) -> Holds:
    store = LocalObjectStore(folder / "objects", key, BASE_URL)
    reference = await store.put("organisations/one", b"pages", "application/pdf")
    address = await store.signed_url(reference, Download("one.pdf", "application/pdf", 600))

    async def holds(other: bytes) -> bool:
        try:
            await LocalObjectStore(folder / "objects", other, BASE_URL).read_signed(address.rpartition("/")[2])
        except DownloadNotValid:
            return False
        return True

    return holds


async def a_draft(key: bytes, _: Path) -> Holds:
    database = MemoryDatabase()
    place = RecipientRef(ORGANISATION, created().session.session_id, ADA)
    await DatabaseFormDrafts(database.engine, key).save(place, b"half a form", NOON)

    async def holds(other: bytes) -> bool:
        return await DatabaseFormDrafts(database.engine, other).find(place) == b"half a form"

    return holds


async def a_secret_of_callbacks(key: bytes, _: Path) -> Holds:
    database = MemoryDatabase()
    made = await DatabaseWebhookSecrets(database.engine, key).signing(ORGANISATION, NOON)

    async def holds(other: bytes) -> bool:
        try:
            return await DatabaseWebhookSecrets(database.engine, other).signing(ORGANISATION, NOON) == made
        except KeysUnusable:
            return False

    return holds


async def a_token_of_an_operator(key: bytes, _: Path) -> Holds:
    now = datetime.now(UTC)
    token = Operators(key).token(Operator("ada", now + timedelta(hours=1)))

    async def holds(other: bytes) -> bool:
        return Operators(other).find(token, now) is not None

    return holds


async def a_receipt(key: bytes, _: Path) -> Holds:
    receipt = sign_receipt(key, {"sessionId": "one"})

    async def holds(other: bytes) -> bool:
        try:
            return read_receipt(public_key_of(other), receipt) == {"sessionId": "one"}
        except InvalidReceipt:
            return False

    return holds


MADE: dict[str, Callable[[bytes, Path], Awaitable[Holds]]] = {
    "link": a_link,
    "cookie": a_form,
    "download": a_download,
    "draft": a_draft,
    "webhook": a_secret_of_callbacks,
    "operator": a_token_of_an_operator,
    "receipt": a_receipt,
}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    ensure_all(tmp_path / "keys", has_local_seal=True)
    return tmp_path / "keys"


def test_every_key_file_has_a_rotation_that_is_tried_here() -> None:
    names = {file.partition(".")[0] for file in KEY_FILES if file != ACCESS_TOKENS}

    assert names == set(ROTATIONS) == set(MADE)


@pytest.mark.parametrize("name", sorted(ROTATIONS))
async def test_what_a_former_key_made_holds_until_it_is_retired(keys: Path, name: str) -> None:
    before = read_key(keys, ROTATIONS[name])
    of_before = await MADE[name](before, keys.parent)

    assert rotate_file(keys, name) == 1
    rotated = read_key(keys, ROTATIONS[name])
    of_rotated = await MADE[name](rotated, keys.parent)
    assert [await of_before(rotated), await of_rotated(rotated), await of_rotated(before)] == [True, True, False]

    assert rotate_file(keys, name) == 2
    assert await of_before(read_key(keys, ROTATIONS[name]))

    assert retire_file(keys, name) == 0
    retired = read_key(keys, ROTATIONS[name])
    of_retired = await MADE[name](retired, keys.parent)
    assert [await of_before(retired), await of_rotated(retired), await of_retired(retired)] == [False, False, True]
    read_all(keys, has_local_seal=True)
    assert (keys / ROTATIONS[name]).stat().st_mode & 0o777 == 0o600


async def test_secrets_of_callbacks_outlive_the_key_that_encrypted_them(keys: Path) -> None:
    database = MemoryDatabase()
    made = await DatabaseWebhookSecrets(database.engine, read_key(keys, "webhook.key")).signing(ORGANISATION, NOON)
    rotate_file(keys, "webhook")

    await DatabaseWebhookSecrets(database.engine, read_key(keys, "webhook.key")).reencrypt()
    retire_file(keys, "webhook")

    after = DatabaseWebhookSecrets(database.engine, read_key(keys, "webhook.key"))
    assert await after.signing(ORGANISATION, NOON) == made


def test_a_former_key_of_receipts_can_sign_none(keys: Path) -> None:
    before = (keys / "receipt.pem").read_bytes()
    rotate_file(keys, "receipt")

    after = (keys / "receipt.pem").read_bytes()
    assert before not in after
    assert after.count(b"PRIVATE KEY-----") == 2  # its beginning and its end
    assert after.count(b"PUBLIC KEY-----") == 2


@pytest.mark.parametrize("name", sorted(ROTATIONS))
def test_a_key_that_is_missing_or_damaged_is_not_rotated(keys: Path, name: str) -> None:
    path = keys / ROTATIONS[name]
    path.write_bytes(b"no key")
    with pytest.raises(KeysUnusable):
        rotate_file(keys, name)
    path.unlink()
    with pytest.raises(KeysUnusable):
        rotate_file(keys, name)
    assert not path.exists()


def test_the_table_of_leaks_names_every_key() -> None:
    section = DOCS.read_text(encoding="utf-8").partition("## Leaked keys\n")[2].partition("\n## ")[0]
    rows = set(re.findall(r"^\| `([^`]+)`", section, re.MULTILINE))

    assert rows == {*KEY_FILES, "seal/", "UNDERSIGN_PAYLOAD_KEYS", "UNDERSIGN_SEAL_KEY", "client secrets"}
