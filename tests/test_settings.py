"""Settings: what is wrong is told at once, in lines; secrets may be in files; production refuses what is weak."""

import sys
from pathlib import Path

import pytest

from adapters.telemetry.logs import redact
from cli.settings_reference import reference
from domain.shared.config_error import Misconfigured
from settings import NOT_PRODUCTION, Settings
from tests import ROOT
from workflows.sdk.payload_keys import new_payload_key

PRODUCTION = {
    "UNDERSIGN_PUBLIC_URL": "https://sign.example.com",
    "UNDERSIGN_SMTP_URL": "smtps://post:kX7-long-enough@mail.example.com",
    "UNDERSIGN_MAIL_FROM": "sign@example.com",
}


def wrong(environment: dict[str, str]) -> tuple[str, ...]:
    """The lines that stop the start."""
    with pytest.raises(Misconfigured) as stopped:
        Settings.read_to_serve(environment)
    return stopped.value.lines


def test_without_a_word_it_is_one_machine() -> None:
    settings = Settings.read_to_serve({})

    assert (settings.api_port, settings.base_url, settings.is_production) == (8080, "http://127.0.0.1:8080", False)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    lines = wrong(
        {
            "UNDERSIGN_SMPT_URL": "smtp://mail",
            "UNDERSIGN_API_PORT": "eighty",
            "UNDERSIGN_POOL_PROCESSES": "0",
            "UNDERSIGN_SEAL_PASSPHRASE_FILE": "/nowhere/passphrase",
        }
    )

    assert [line.partition(":")[0].partition(" ")[0] for line in lines] == [
        "UNDERSIGN_SEAL_PASSPHRASE_FILE",
        "UNDERSIGN_SMPT_URL",
        "UNDERSIGN_API_PORT",
        "UNDERSIGN_POOL_PROCESSES",
    ]
    assert "UNDERSIGN_SMTP_URL is meant" in lines[1]


@pytest.mark.parametrize(
    "name",
    [
        "DATABASE_URL",
        "SMTP_URL",
        "PAYLOAD_KEYS",
        "OBJECT_STORE",
        "SEAL_KEY",
        "RATE_LIMIT_STORAGE",
        "API_PORT",
        "DATA_DIR",
    ],
)
@pytest.mark.parametrize("empty", ["", " \n"])
def test_a_value_that_holds_nothing_stops_the_start(name: str, empty: str, tmp_path: Path) -> None:
    (tmp_path / "mounted").write_text(empty, encoding="utf-8")

    (line,) = wrong({f"UNDERSIGN_{name}": empty})
    (of_a_file,) = wrong({f"UNDERSIGN_{name}_FILE": str(tmp_path / "mounted")})
    (of_no_file,) = wrong({f"UNDERSIGN_{name}_FILE": empty})

    assert line.startswith(f"UNDERSIGN_{name} is set and holds nothing")
    assert of_a_file.startswith(f"UNDERSIGN_{name}_FILE is set and holds nothing")
    assert of_no_file.startswith(f"UNDERSIGN_{name}_FILE: it is set and names no file")


@pytest.mark.parametrize("name", ["TRUSTED_PROXIES", "METRICS_NETWORKS", "TEMPORAL_UI"])
def test_a_list_may_hold_nobody(name: str) -> None:
    assert getattr(Settings.read({f"UNDERSIGN_{name}": ""}), name.lower()) == ""


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("SMTP_URL", "smpt://ada:hush-hush@x", "smtp://host"),
        ("SMTP_URL", "https://mail.example.com", "smtp://host"),
        ("MAIL_FROM", "nobody", "the address alone"),
        ("MAIL_FROM", "Ada <ada@example.com>", "the address alone"),
        ("PUBLIC_URL", "https://example.com/sign", "nothing may follow"),
        ("PUBLIC_URL", "https://example.com?a=hush-hush", "nothing may follow"),
        ("PUBLIC_URL", "https://ada:hush-hush@example.com", "no user and no password"),
        ("SEAL_KEY", "-----BEGIN PRIVATE KEY-----hush-hush", "pkcs12:, pem:, pkcs11: or gcpkms:"),
        ("SEAL_KEY", "vault:hush-hush", "pkcs12:, pem:, pkcs11: or gcpkms:"),
        ("SEAL_KEY", "pkcs11:token=hush-hush", "module-path="),
        ("SEAL_KEY", "gcpkms:hush-hush", "cryptoKeyVersions"),
        ("RATE_LIMIT_STORAGE", "redis://:hush-hush@host:port", "redis://host:6379/0"),
        ("RATE_LIMIT_STORAGE", "redis://host?hush-hush=1", "redis://host:6379/0"),
        ("RATE_LIMIT_STORAGE", "redis://", "redis://host:6379/0"),
        ("TIMESTAMP_URL", "ada:hush-hush@host", "https://"),
        ("TRUSTED_PROXIES", "10.0.0.0/33", "networks"),
        ("TRUSTED_PROXIES", "proxy.example.com", "no names of hosts"),
        ("TRUSTED_PROXIES", "*", "networks"),
        ("METRICS_NETWORKS", "10.0.0.0/33", "networks"),
        ("TEMPORAL_ADDRESS", "https://temporal:7233", "host:7233"),
    ],
)
def test_a_value_that_makes_no_sense_stops_the_start_with_what_to_write(name: str, value: str, says: str) -> None:
    line, *others = wrong({f"UNDERSIGN_{name}": value})

    assert line.startswith(f"UNDERSIGN_{name}")
    assert line.count("UNDERSIGN_") == 1
    assert redact(line) == line  # as the log shows it
    assert says in line
    assert "hush" not in " ".join([line, *others])


def test_a_package_that_is_missing_is_named_as_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)

    (line,) = wrong({"UNDERSIGN_RATE_LIMIT_STORAGE": "redis://host"})

    assert line.startswith("UNDERSIGN_RATE_LIMIT_STORAGE: ")
    assert "undersign[redis]" in line


def test_networks_are_those_that_are_compared_with() -> None:
    settings = Settings.read({"UNDERSIGN_TRUSTED_PROXIES": "10.1.2.3/8, 192.0.2.7, ::1"})

    assert settings.trusted_proxies == "10.0.0.0/8,192.0.2.7/32,::1/128"


def test_what_is_no_variable_of_ours_is_nobodys_business() -> None:
    assert Settings.read({"API_PORT": "1", "PATH": "/bin"}) == Settings.read({})


def test_what_programs_that_call_the_service_read_may_be_there_too() -> None:
    called = {"UNDERSIGN_URL": "https://sign.example.com", "UNDERSIGN_TOKEN_FILE": "/run/secrets/token"}
    assert Settings.read(called) == Settings.read({})


def test_a_secret_may_be_the_content_of_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "smtp"
    secret.write_text("smtps://ada:pa55word-x@mail.example.com\n", encoding="utf-8")

    settings = Settings.read({"UNDERSIGN_SMTP_URL_FILE": str(secret)})

    assert settings.mail_server == "smtps://ada:pa55word-x@mail.example.com"


def test_a_secret_in_both_places_is_a_contradiction(tmp_path: Path) -> None:
    (line,) = wrong({"UNDERSIGN_SMTP_URL_FILE": str(tmp_path), "UNDERSIGN_SMTP_URL": "smtp://mail"})

    assert line.startswith("UNDERSIGN_SMTP_URL and UNDERSIGN_SMTP_URL_FILE are both set")


def test_no_line_repeats_a_value() -> None:
    lines = wrong({"UNDERSIGN_PAYLOAD_KEYS": "hush-hush", "UNDERSIGN_RATE_LIMIT_STORAGE": "hush-hush"})

    assert len(lines) == 2
    assert "hush" not in " ".join(lines)


def test_no_representation_of_settings_holds_a_secret() -> None:
    settings = Settings.read(
        {
            "UNDERSIGN_DATABASE_URL": "postgresql+asyncpg://ada:hush-hush@host/db",
            "UNDERSIGN_RATE_LIMIT_STORAGE": "redis://:hush-hush@host",
            "UNDERSIGN_SMTP_URL": "smtps://ada:hush-hush@host",
            "UNDERSIGN_SEAL_KEY": "pkcs12:key.p12",
            "UNDERSIGN_SEAL_PASSPHRASE": "hush-hush",
            "UNDERSIGN_TIMESTAMP_URL": "https://ada:hush-hush@host",
            "UNDERSIGN_TIMESTAMP_ROOTS": "roots.pem",
        }
    )

    assert "hush-hush" not in repr(settings)
    assert "hush-hush" not in str(settings)


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"UNDERSIGN_SEAL_PASSPHRASE": "x"}, "UNDERSIGN_SEAL_KEY"),
        ({"UNDERSIGN_SEAL_CERTIFICATE": "seal.pem"}, "UNDERSIGN_SEAL_KEY"),
        ({"UNDERSIGN_OIDC_AUDIENCE": "api"}, "UNDERSIGN_OIDC_ISSUER"),
        ({"UNDERSIGN_TIMESTAMP_URL": "https://tsa.example.com"}, "UNDERSIGN_TIMESTAMP_ROOTS"),
        ({"UNDERSIGN_SEAL_LEVEL": "B-LT"}, "UNDERSIGN_TIMESTAMP_URL"),
        ({"UNDERSIGN_WORKER_HOST": "10.0.0.1"}, "UNDERSIGN_WORKER_PORT"),
    ],
)
def test_settings_that_contradict_each_other_stop_the_start(environment: dict[str, str], named: str) -> None:
    (line,) = wrong(environment)

    assert named in line


def test_production_starts_with_what_it_needs() -> None:
    assert Settings.read_to_serve(PRODUCTION).is_production


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"UNDERSIGN_PUBLIC_URL": "http://sign.example.com"}, "UNDERSIGN_PUBLIC_URL must be https"),
        ({"UNDERSIGN_MAIL_FROM": "undersign@localhost"}, "UNDERSIGN_MAIL_FROM"),
        ({"UNDERSIGN_PRIVATE_CALLBACKS": "true"}, "UNDERSIGN_PRIVATE_CALLBACKS"),
        ({"UNDERSIGN_OIDC_ISSUER": "http://localhost:8000/realm"}, "UNDERSIGN_OIDC_ISSUER"),
        ({"UNDERSIGN_DATABASE_URL": "postgresql+asyncpg://undersign:undersign@db/x"}, "UNDERSIGN_DATABASE_URL"),
        ({"UNDERSIGN_SMTP_URL": "smtps://ada:s3cret@mail.example.com"}, "UNDERSIGN_SMTP_URL"),
        ({"UNDERSIGN_RATE_LIMIT_STORAGE": "redis://:changeme@host"}, "UNDERSIGN_RATE_LIMIT_STORAGE"),
        ({"UNDERSIGN_DATABASE_URL": "postgresql://ada:temporal@db/x"}, "UNDERSIGN_DATABASE_URL"),
        ({"UNDERSIGN_DATABASE_URL": "postgresql://ada@db/x?password=postgres"}, "UNDERSIGN_DATABASE_URL"),
        ({"UNDERSIGN_DATABASE_URL": "postgresql://signing-service:signing-service@db/x"}, "UNDERSIGN_DATABASE_URL"),
        ({"UNDERSIGN_PAYLOAD_KEYS": f"{new_payload_key()},{'A' * 43}="}, "UNDERSIGN_PAYLOAD_KEYS"),
        ({"UNDERSIGN_SMTP_URL": "smtp-plain://relay.example.com"}, "UNDERSIGN_SMTP_URL"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "192.0.2.7,0.0.0.0/0"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "0.0.0.0/1,128.0.0.0/1"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "::/0"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "192.0.2.7,10.0.0.0/15"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "fd00::/47"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_SEAL_KEY": "pkcs12:k", "UNDERSIGN_SEAL_PASSPHRASE": "aaaaaaaaa"}, "UNDERSIGN_SEAL_PASSPHRASE"),
    ],
)
def test_production_does_not_start_with_what_only_development_should_have(change: dict[str, str], named: str) -> None:
    line, last = wrong({**PRODUCTION, **change})

    assert line.startswith(named)
    assert last == NOT_PRODUCTION
    assert Settings.read_to_serve({**PRODUCTION, **change, "UNDERSIGN_ENVIRONMENT": "development"})


@pytest.mark.parametrize(
    "change",
    [
        {"UNDERSIGN_SMTP_URL": "smtp-plain://127.0.0.1:2525"},
        {"UNDERSIGN_SMTP_URL": "smtp-plain://[::1]"},
        {"UNDERSIGN_TRUSTED_PROXIES": "10.244.0.0/16,fd00::/48"},
        {"UNDERSIGN_PAYLOAD_KEYS": f"none,{new_payload_key()}"},
        {"UNDERSIGN_DATABASE_URL": "postgresql://undersign@db/x"},
    ],
)
def test_production_starts_with_what_exposes_nothing(change: dict[str, str]) -> None:
    assert Settings.read_to_serve({**PRODUCTION, **change}).is_production


def test_the_local_outbox_is_nothing_for_production() -> None:
    lines = wrong({"UNDERSIGN_ENVIRONMENT": "production"})

    assert [line.partition(" ")[0] for line in lines[:-1]] == [
        "UNDERSIGN_PUBLIC_URL",
        "UNDERSIGN_SMTP_URL",
        "UNDERSIGN_MAIL_FROM",
    ]


def test_the_pin_of_a_token_may_be_short() -> None:
    token = {"UNDERSIGN_SEAL_KEY": "pkcs11:token=t;object=o?module-path=/m.so", "UNDERSIGN_SEAL_PASSPHRASE": "4711"}

    assert Settings.read_to_serve({**PRODUCTION, **token})


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_says_what_it_means(name: str) -> None:
    assert len(Settings.model_fields[name].description or "") > 20


def test_the_reference_is_up_to_date() -> None:
    """`make settings` writes it anew."""
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == reference()


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("OBJECT_STORE", "s3://documents", "as in gs://signed-documents"),
        ("OIDC_ISSUER", "http://issuer.example.com", "begins with https://"),
        ("DEPLOYMENT_NAME", "the first", "letters, digits, dots"),
    ],
)
def test_a_value_of_the_wrong_form_is_told_what_form_it_has(name: str, value: str, advice: str) -> None:
    lines = wrong({f"UNDERSIGN_{name}": value})

    assert any(line.startswith(f"UNDERSIGN_{name}") and advice in line for line in lines), lines


def test_no_setting_is_described_to_operators_as_a_regular_expression() -> None:
    assert "pattern" not in str(Settings.model_json_schema())
