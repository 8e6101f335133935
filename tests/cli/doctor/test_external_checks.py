"""Checks of working servers, and of those with a single fault."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from application.checks import CheckFailed, CheckSkipped
from cli.doctor.external_checks import (
    LARGE_BODY,
    check_clock,
    check_mail,
    check_public_address,
    check_rate_limits,
    check_sign_in,
    check_timestamps,
    judge_clocks,
    judge_health,
    refuses_large_bodies,
)
from config.settings import Settings
from domain.shared.version import VERSION
from tests.adapters.sealing.timestamp_server import TimestampServer, failing, of_another_authority, serving_timestamps
from tests.adapters.smtp_server import Behaviour, smtp_server
from tests.issuer import DISCOVERY, KEYS
from tests.openid_provider import Provider, running_provider


def mailing(tmp_path: Path, url: str | None) -> Settings:
    return Settings.model_validate({"data_dir": tmp_path, "smtp_url": url})


@pytest.fixture
def authority() -> Iterator[TimestampServer]:
    with serving_timestamps() as server:
        yield server


def stamping(tmp_path: Path, authority: TimestampServer) -> Settings:
    roots = tmp_path / "roots.pem"
    roots.write_bytes(authority.roots_pem())
    return Settings.model_validate({"data_dir": tmp_path, "timestamp_url": authority.address, "timestamp_roots": roots})


async def test_without_a_mail_server_mails_stay_here(tmp_path: Path) -> None:
    assert "local outbox" in (await check_mail(mailing(tmp_path, None), None)).message


@pytest.mark.parametrize(("address", "received"), [(None, []), ("ada@example.com", [["ada@example.com"]])])
async def test_a_mail_is_sent_only_on_request(tmp_path: Path, address: str | None, received: list[list[str]]) -> None:
    behaviour = Behaviour()
    async with smtp_server(behaviour) as port:
        passed = await check_mail(mailing(tmp_path, f"smtp-plain://127.0.0.1:{port}"), address)

    assert ("no credentials are set; no mail was sent" in passed.message) == (address is None)
    assert [envelope.rcpt_tos for envelope in behaviour.taken] == received


async def test_a_mail_that_is_refused_fails(tmp_path: Path) -> None:
    async with smtp_server(Behaviour(to_recipient="550 unknown")) as port:
        with pytest.raises(CheckFailed, match="550 unknown"):
            await check_mail(mailing(tmp_path, f"smtp-plain://127.0.0.1:{port}"), "ada@example.com")


async def test_an_unreachable_mail_server_fails_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(CheckFailed, match="connection to the mail server failed") as failure:
        await check_mail(mailing(tmp_path, "smtps://ada:hush-hush@127.0.0.1:1"), None)
    assert "hush" not in f"{failure.value} {failure.value.advice}"


async def test_an_authority_that_stamps_passes_and_its_clock_is_ours(
    tmp_path: Path, authority: TimestampServer
) -> None:
    settings = stamping(tmp_path, authority)
    assert "trusted timestamp" in (await check_timestamps(settings)).message
    assert "the timestamp authority" in (await check_clock(settings)).message


@pytest.mark.parametrize(("behaviour", "words"), [(failing, "answers 500"), (of_another_authority, "is not trusted")])
async def test_an_authority_in_trouble_fails(
    tmp_path: Path, authority: TimestampServer, behaviour: object, words: str
) -> None:
    authority.behaviour = behaviour  # type: ignore[assignment]
    with pytest.raises(CheckFailed, match=words):
        await check_timestamps(stamping(tmp_path, authority))


async def test_roots_that_cannot_be_read_fail(tmp_path: Path, authority: TimestampServer) -> None:
    settings = stamping(tmp_path, authority)
    (tmp_path / "roots.pem").unlink()

    with pytest.raises(CheckFailed):
        await check_timestamps(settings)


async def test_a_clock_without_another_one_is_skipped(tmp_path: Path) -> None:
    with pytest.raises(CheckSkipped):
        await check_clock(mailing(tmp_path, None))


@pytest.mark.parametrize(
    "database",
    [
        "postgresql+asyncpg://ada:secret@127.0.0.1:1/undersign",
        "postgresql+asyncpg://ada:secret@127.0.0.1:1/undersign?hush=1",
        "nonsense",
    ],
)
async def test_a_database_that_does_not_answer_is_left_out_of_clocks(
    tmp_path: Path, authority: TimestampServer, database: str
) -> None:
    settings = stamping(tmp_path, authority).model_copy(update={"database_url": database})
    assert "the timestamp authority" in (await check_clock(settings)).message


def test_a_small_difference_of_clocks_is_noted_and_a_large_one_fails() -> None:
    assert judge_clocks({"the database": 0.2}).note is None
    assert judge_clocks({"the database": -7.0, "the public address": 1.0}).note
    with pytest.raises(CheckFailed, match=r"differs by 95\.0 s from the clock of the database"):
        judge_clocks({"the database": -95.0, "the public address": 1.0})


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider("https://sign.example.com/app/sign-in/provider/callback") as running:
        yield running


def of_provider(issuer: str) -> Settings:
    names = {"client_id": "undersign", "client_secret": "hush-hush", "name": "Acme", "issuer": issuer}
    return Settings.read(
        {
            "UNDERSIGN_PUBLIC_URL": "https://sign.example.com",
            **{f"UNDERSIGN_SIGN_IN_{name.upper()}": value for name, value in names.items()},
        }
    )


async def test_without_a_provider_users_sign_in_by_links() -> None:
    assert "links" in (await check_sign_in(Settings.read({}))).message


async def test_a_provider_answers_and_its_redirect_address_is_said(provider: Provider) -> None:
    provider.change_metadata(code_challenge_methods_supported=["plain", "S256"])
    passed = await check_sign_in(of_provider(provider.issuer.url))
    assert passed.message.startswith("Acme answers.")
    assert provider.redirect_uri in passed.message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"issuer": "https://elsewhere.example.com"}, "name another issuer"),
        ({"token_endpoint": None}, "token_endpoint"),
        ({"authorization_endpoint": "authorize"}, "authorization_endpoint"),
        ({"jwks_uri": None}, "jwks_uri"),
        ({"code_challenge_methods_supported": ["plain"]}, "S256"),
        ({"token_endpoint_auth_methods_supported": ["private_key_jwt", {}]}, "client_secret_basic"),
        ({"response_types_supported": ["id_token"]}, "code"),
    ],
)
async def test_a_provider_that_lacks_something_fails(
    provider: Provider, change: dict[str, object], message: str
) -> None:
    provider.change_metadata(**change)
    with pytest.raises(CheckFailed, match=message):
        await check_sign_in(of_provider(provider.issuer.url))


@pytest.mark.parametrize(
    ("page", "content", "message"),
    [(DISCOVERY, 404, "answers 404"), (KEYS, 503, "503"), (KEYS, {"keys": []}, "no key")],
)
async def test_a_provider_that_does_not_answer_fails(
    provider: Provider, page: str, content: object, message: str
) -> None:
    provider.issuer.pages[page] = content
    with pytest.raises(CheckFailed, match=message):
        await check_sign_in(of_provider(provider.issuer.url))


async def test_a_provider_without_a_server_fails() -> None:
    with pytest.raises(CheckFailed, match="does not answer"):
        await check_sign_in(of_provider("http://127.0.0.1:1"))


async def test_a_public_address_without_dns_fails() -> None:
    with pytest.raises(CheckFailed, match=r"https://nowhere\.invalid cannot be reached: "):
        await check_public_address(Settings.read({"UNDERSIGN_PUBLIC_URL": "https://nowhere.invalid"}))


ALIVE = {"status": "alive", "version": VERSION}


@pytest.mark.parametrize(
    ("trusted", "health", "note"),
    [
        ("", ALIVE, None),
        ("", {**ALIVE, "forwardedFor": "absent"}, None),
        ("192.0.2.7", {**ALIVE, "forwardedFor": "used"}, None),
        ("192.0.2.7", {**ALIVE, "forwardedFor": "absent"}, "without X-Forwarded-For"),
        ("", {**ALIVE, "version": "0.0.1"}, "answers with version 0.0.1"),
    ],
)
def test_a_public_address_leads_to_the_service(trusted: str, health: dict[str, str], note: str | None) -> None:
    passed = judge_health(Settings(trusted_proxies=trusted), httpx.Response(200, json=health))

    assert "leads to the service" in passed.message
    assert (note is None) == (passed.note is None)
    assert (note or "") in (passed.note or "")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (httpx.Response(200, json={**ALIVE, "forwardedFor": "ignored"}), "address of the proxy is recorded"),
        (httpx.Response(200, json={"status": "up"}), "answers 200, and not as this service does"),
        (httpx.Response(502, html="<p>Bad gateway</p>"), "answers 502, and not as this service does"),
    ],
)
def test_a_public_address_that_leads_elsewhere_or_hides_clients_fails(answer: httpx.Response, words: str) -> None:
    with pytest.raises(CheckFailed, match=words):
        judge_health(Settings(), answer)


@pytest.mark.parametrize(("limit", "is_refused"), [(1_000_000, True), (LARGE_BODY, False)])
async def test_a_proxy_that_refuses_large_bodies_is_found(limit: int, is_refused: bool) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(413 if int(request.headers["Content-Length"]) > limit else 405)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        assert await refuses_large_bodies(http, "https://sign.example.com") is is_refused


async def test_a_redis_that_does_not_respond_fails() -> None:
    with pytest.raises(CheckFailed, match=r"Redis at 127\.0\.0\.1:1: Connection refused"):
        await check_rate_limits(Settings(rate_limit_storage="redis://127.0.0.1:1/0"))
