"""Settings: all errors are reported at once, a line each; secrets may come from files; production refuses weak ones."""

import sys
from pathlib import Path

import pytest

from adapters.openid.config import ProviderClient
from adapters.sealing.config import SealConfig
from adapters.telemetry.logs import redact
from cli.settings_reference import reference
from config import production_checks
from config.production_checks import NOT_PRODUCTION
from config.settings import Settings
from config.types import parse_origins
from domain.seal.seal import SealLevel
from domain.shared.errors import ConfigError
from tests import ROOT
from workflows.sdk.payload_keys_setting import new_payload_key

PRODUCTION = {
    "UNDERSIGN_PUBLIC_URL": "https://sign.example.com",
    "UNDERSIGN_SMTP_URL": "smtps://post:kX7-long-enough@mail.example.com",
    "UNDERSIGN_MAIL_FROM": "sign@example.com",
    "UNDERSIGN_PAYLOAD_KEYS": new_payload_key(),
}
SIGN_IN = {
    "UNDERSIGN_SIGN_IN_ISSUER": "https://id.example.com/realms/staff",
    "UNDERSIGN_SIGN_IN_CLIENT_ID": "undersign",
    "UNDERSIGN_SIGN_IN_CLIENT_SECRET": "hush-hush",
    "UNDERSIGN_SIGN_IN_NAME": "Acme",
}
TIMESTAMPS = {
    "UNDERSIGN_TIMESTAMP_URL": "https://a:hush-hush@tsa.example.com",
    "UNDERSIGN_TIMESTAMP_ROOTS": "roots.pem",
}
SECRETS = {
    **TIMESTAMPS,
    **SIGN_IN,
    "UNDERSIGN_DATABASE_URL": "postgresql+asyncpg://ada:hush-hush@host/db",
    "UNDERSIGN_RATE_LIMIT_STORAGE": "redis://:hush-hush@host",
    "UNDERSIGN_SMTP_URL": "smtps://ada:hush-hush@host",
    "UNDERSIGN_SEAL_KEY": "pkcs12:key.p12",
    "UNDERSIGN_SEAL_PASSPHRASE": "hush-hush",
}


def errors_of(environment: dict[str, str]) -> tuple[str, ...]:
    """Returns the lines that stop the start."""
    with pytest.raises(ConfigError) as stopped:
        production_checks.read_for_server(environment)
    return stopped.value.lines


def test_the_defaults_are_those_of_one_machine() -> None:
    settings = production_checks.read_for_server({"API_PORT": "1", "PATH": "/bin"})
    assert (settings.api_port, settings.base_url, settings.is_production) == (8080, "http://127.0.0.1:8080", False)
    assert settings.seal == SealConfig(level=SealLevel.B_B)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("API_SERVICE_HOST", "10.0.0.1"),
        ("API_SERVICE_PORT_HTTP", "80"),
        ("API_PORT", "tcp://10.0.0.1:80"),
        ("API_PORT_80_TCP_ADDR", "10.0.0.1"),
    ],
)
def test_variables_of_services_of_kubernetes_have_their_own_advice(name: str, value: str) -> None:
    (line,) = errors_of({f"UNDERSIGN_{name}": value})
    assert "enableServiceLinks: false" in line
    assert value not in line


def test_all_errors_are_reported_at_once() -> None:
    lines = errors_of(
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
    assert "Use UNDERSIGN_SMTP_URL" in lines[1]


@pytest.mark.parametrize("name", ["DATABASE_URL", "PAYLOAD_KEYS", "SEAL_KEY", "API_PORT", "DATA_DIR"])
@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_value_stops_the_start(name: str, empty: str, tmp_path: Path) -> None:
    (tmp_path / "mounted").write_text(empty, encoding="utf-8")

    (line,) = errors_of({f"UNDERSIGN_{name}": empty})
    (of_a_file,) = errors_of({f"UNDERSIGN_{name}_FILE": str(tmp_path / "mounted")})
    (of_no_file,) = errors_of({f"UNDERSIGN_{name}_FILE": empty})

    assert line.startswith(f"UNDERSIGN_{name} is set but empty")
    assert of_a_file.startswith(f"UNDERSIGN_{name}_FILE is set but empty")
    assert of_no_file.startswith(f"UNDERSIGN_{name}_FILE is set but names no file")


@pytest.mark.parametrize("name", ["TRUSTED_PROXIES", "METRICS_NETWORKS", "TEMPORAL_UI"])
def test_a_list_may_be_empty(name: str) -> None:
    assert getattr(Settings.read({f"UNDERSIGN_{name}": ""}), name.lower()) == ""


@pytest.mark.parametrize(
    ("name", "value", "advice"),
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
        ("SEAL_LEVEL", "B-X", "B-B"),
        ("PAYLOAD_KEYS", "hush-hush", "payload-key new"),
        ("RATE_LIMIT_STORAGE", "hush-hush", "redis://host:6379/0"),
        ("RATE_LIMIT_STORAGE", "redis://:hush-hush@host:port", "redis://host:6379/0"),
        ("RATE_LIMIT_STORAGE", "redis://host?hush-hush=1", "redis://host:6379/0"),
        ("RATE_LIMIT_STORAGE", "redis://", "redis://host:6379/0"),
        ("TIMESTAMP_URL", "ada:hush-hush@host", "https://"),
        ("TRUSTED_PROXIES", "10.0.0.0/33", "networks"),
        ("TRUSTED_PROXIES", "proxy.example.com", "not host names"),
        ("TRUSTED_PROXIES", "*", "networks"),
        ("METRICS_NETWORKS", "10.0.0.0/33", "networks"),
        ("TEMPORAL_ADDRESS", "https://temporal:7233", "host:7233"),
        ("OBJECT_STORE", "s3://documents", "as in gs://signed-documents"),
        ("OIDC_ISSUER", "http://issuer.example.com", "begins with https://"),
        ("DEPLOYMENT_NAME", "the first", "letters, digits, dots"),
    ],
)
def test_an_invalid_value_stops_the_start_with_advice(name: str, value: str, advice: str) -> None:
    line, *others = errors_of({f"UNDERSIGN_{name}": value})

    assert line.startswith(f"UNDERSIGN_{name}")
    assert line.count("UNDERSIGN_") == 1
    assert redact(line) == line  # as the log shows it
    assert advice in line
    assert "hush" not in " ".join([line, *others])


def test_a_missing_package_is_named_as_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)

    (line,) = errors_of({"UNDERSIGN_RATE_LIMIT_STORAGE": "redis://host"})

    assert line.startswith("UNDERSIGN_RATE_LIMIT_STORAGE: ")
    assert "undersign[redis]" in line


def test_networks_are_normalised() -> None:
    settings = Settings.read({"UNDERSIGN_TRUSTED_PROXIES": "10.1.2.3/8, 192.0.2.7, ::1"})
    assert settings.trusted_proxies == "10.0.0.0/8,192.0.2.7/32,::1/128"


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://Temporal.Example.com/namespaces/", "https://temporal.example.com"),
        ("https://temporal.example.com:443/", "https://temporal.example.com"),
        ("http://temporal.example.com:80", "http://temporal.example.com"),
        ("http://temporal.example.com:443", "http://temporal.example.com:443"),
        ("HTTP://127.0.0.1:8233", "http://127.0.0.1:8233"),
        ("https://[::1]:443", "https://[::1]"),
        ("https://[::443]", "https://[::443]"),
    ],
)
def test_an_origin_is_what_browsers_send(address: str, origin: str) -> None:
    assert parse_origins(address) == {origin}


@pytest.mark.parametrize(
    "address",
    ["temporal.example.com", "ftp://temporal.example.com", "https://ada:secret@a.example.com", "https://ü.example"],
)
def test_an_address_without_an_origin_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(ValueError, match="addresses") as caught:
        parse_origins(address)
    assert "secret" not in str(caught.value)


def test_variables_of_api_clients_are_not_errors() -> None:
    variables = {"UNDERSIGN_URL": "https://sign.example.com", "UNDERSIGN_TOKEN_FILE": "/run/secrets/token"}
    assert Settings.read(variables) == Settings.read({})


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "smtp"
    secret.write_text("smtps://ada:pa55word-x@mail.example.com\n", encoding="utf-8")

    settings = Settings.read({"UNDERSIGN_SMTP_URL_FILE": str(secret)})
    (line,) = errors_of({"UNDERSIGN_SMTP_URL_FILE": str(secret), "UNDERSIGN_SMTP_URL": "smtp://mail"})

    assert settings.mail_server == "smtps://ada:pa55word-x@mail.example.com"
    assert line.startswith("UNDERSIGN_SMTP_URL and UNDERSIGN_SMTP_URL_FILE are both set")


def test_no_representation_of_settings_holds_a_secret() -> None:
    settings = Settings.read(SECRETS)
    assert "hush-hush" not in f"{settings!r} {settings} {settings.seal!r} {settings.provider_client!r}"


@pytest.mark.parametrize("missing", SIGN_IN)
def test_half_a_provider_stops_the_start(missing: str) -> None:
    (line,) = errors_of({name: value for name, value in SIGN_IN.items() if name != missing})
    assert line.startswith(f"{missing} is missing.")
    (_, _, _) = errors_of({missing: SIGN_IN[missing]})


def test_a_provider_is_read_as_a_whole() -> None:
    assert Settings.read(SIGN_IN).provider_client == ProviderClient(
        "https://id.example.com/realms/staff", "undersign", "hush-hush"
    )
    assert Settings.read({}).provider_client is None


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"UNDERSIGN_SEAL_PASSPHRASE": "x"}, "UNDERSIGN_SEAL_KEY"),
        ({"UNDERSIGN_SEAL_CERTIFICATE": "seal.pem"}, "UNDERSIGN_SEAL_KEY"),
        ({"UNDERSIGN_OIDC_AUDIENCE": "api"}, "UNDERSIGN_OIDC_ISSUER"),
        ({"UNDERSIGN_OIDC_ISSUER": "http://127.0.0.1:8080/"}, "UNDERSIGN_OIDC_ISSUER must not be the service itself"),
        ({"UNDERSIGN_TIMESTAMP_URL": "https://tsa.example.com"}, "UNDERSIGN_TIMESTAMP_ROOTS"),
        ({"UNDERSIGN_TIMESTAMP_ROOTS": "roots.pem"}, "UNDERSIGN_TIMESTAMP_URL"),
        ({"UNDERSIGN_SEAL_LEVEL": "B-LT"}, "UNDERSIGN_TIMESTAMP_URL"),
        ({"UNDERSIGN_BUILD_ID": "one"}, "UNDERSIGN_DEPLOYMENT_NAME"),
        ({"UNDERSIGN_WORKER_HOST": "10.0.0.1"}, "UNDERSIGN_WORKER_PORT"),
    ],
)
def test_conflicts_between_settings_stop_the_start(environment: dict[str, str], named: str) -> None:
    (line,) = errors_of(environment)
    assert named in line


@pytest.mark.parametrize(("level", "target"), [({}, "B-T"), ({"UNDERSIGN_SEAL_LEVEL": "B-LTA"}, "B-LTA")])
def test_with_a_timestamp_authority_the_target_level_is_higher(level: dict[str, str], target: str) -> None:
    seal = Settings.read({**TIMESTAMPS, **level}).seal
    assert (seal.timestamps, seal.timestamp_roots) == (TIMESTAMPS["UNDERSIGN_TIMESTAMP_URL"], Path("roots.pem"))
    assert seal.level == target


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"UNDERSIGN_PUBLIC_URL": "http://sign.example.com"}, "UNDERSIGN_PUBLIC_URL must be https"),
        ({"UNDERSIGN_MAIL_FROM": "undersign@localhost"}, "UNDERSIGN_MAIL_FROM"),
        ({"UNDERSIGN_PRIVATE_CALLBACKS": "true"}, "UNDERSIGN_PRIVATE_CALLBACKS"),
        ({"UNDERSIGN_OIDC_ISSUER": "http://localhost:8000/realm"}, "UNDERSIGN_OIDC_ISSUER"),
        ({**SIGN_IN, "UNDERSIGN_SIGN_IN_ISSUER": "http://localhost:8000/realm"}, "UNDERSIGN_SIGN_IN_ISSUER"),
        (
            {"UNDERSIGN_DATABASE_URL": "postgresql+asyncpg://undersign:undersign@db/x?ssl=require"},
            "UNDERSIGN_DATABASE_URL",
        ),
        ({"UNDERSIGN_SMTP_URL": "smtps://ada:s3cret@mail.example.com"}, "UNDERSIGN_SMTP_URL"),
        ({"UNDERSIGN_RATE_LIMIT_STORAGE": "rediss://:changeme@host"}, "UNDERSIGN_RATE_LIMIT_STORAGE"),
        ({"UNDERSIGN_DATABASE_URL": "postgresql://ada:temporal@db/x?ssl=require"}, "UNDERSIGN_DATABASE_URL"),
        ({"UNDERSIGN_DATABASE_URL": "postgresql://ada@db/x?ssl=require&password=postgres"}, "UNDERSIGN_DATABASE_URL"),
        (
            {"UNDERSIGN_DATABASE_URL": "postgresql://signing-service:signing-service@db/x?ssl=require"},
            "UNDERSIGN_DATABASE_URL",
        ),
        ({"UNDERSIGN_PAYLOAD_KEYS": f"{new_payload_key()},{'A' * 43}="}, "UNDERSIGN_PAYLOAD_KEYS"),
        ({"UNDERSIGN_SMTP_URL": "smtp-plain://relay.example.com"}, "UNDERSIGN_SMTP_URL"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "192.0.2.7,0.0.0.0/0"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "::/0"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "192.0.2.7,10.0.0.0/15"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_TRUSTED_PROXIES": "fd00::/47"}, "UNDERSIGN_TRUSTED_PROXIES"),
        ({"UNDERSIGN_SEAL_KEY": "pkcs12:k", "UNDERSIGN_SEAL_PASSPHRASE": "aaaaaaaaa"}, "UNDERSIGN_SEAL_PASSPHRASE"),
        *(
            ({"UNDERSIGN_DATABASE_URL": f"postgresql://ada@{rest}"}, "UNDERSIGN_DATABASE_URL must end with ?ssl=")
            for rest in ("203.0.113.5/x", "db/x?ssl=prefer", "[2001:db8::1]/x", "/x?host=db:5432&host=localhost:5432")
        ),
        ({"UNDERSIGN_TEMPORAL_ADDRESS": "temporal.example.com:7233"}, "UNDERSIGN_TEMPORAL_ADDRESS must be reached"),
        ({"UNDERSIGN_RATE_LIMIT_STORAGE": "redis://203.0.113.7"}, "UNDERSIGN_RATE_LIMIT_STORAGE must be rediss://"),
        (
            {**TIMESTAMPS, "UNDERSIGN_TIMESTAMP_URL": "http://a:kX7-long-enough@tsa.example.com"},
            "UNDERSIGN_TIMESTAMP_URL must be https",
        ),
        *(
            ({"UNDERSIGN_METRICS_NETWORKS": networks}, "UNDERSIGN_METRICS_NETWORKS")
            for networks in ("0.0.0.0/0", "::/0", "10.0.0.0/8,8.0.0.0/8", "0.0.0.0/1", "8.0.0.0/5")
        ),
        *(
            ({f"UNDERSIGN_{limit}_PER_MINUTE": value}, f"UNDERSIGN_{limit}_PER_MINUTE")
            for limit, value in (("READS", "0"), ("WRITES", "0"), ("TOKENS", "0"), ("PAGES", "1000000"))
        ),
        ({"UNDERSIGN_DOWNLOAD_LIFETIME": "604800"}, "UNDERSIGN_DOWNLOAD_LIFETIME"),
        ({"UNDERSIGN_COPY_DAYS": "36500"}, "UNDERSIGN_COPY_DAYS"),
    ],
)
def test_production_does_not_start_with_what_only_development_may_have(change: dict[str, str], named: str) -> None:
    line, last = errors_of({**PRODUCTION, **change})

    assert line.startswith(named)
    assert last == NOT_PRODUCTION
    assert production_checks.read_for_server({**PRODUCTION, **change, "UNDERSIGN_ENVIRONMENT": "development"})


@pytest.mark.parametrize(
    ("variable", "named"),
    [
        ("STORAGE_EMULATOR_HOST", "UNDERSIGN_OBJECT_STORE is reached by http"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "UNDERSIGN_ENVIRONMENT: OTEL_EXPORTER_OTLP_ENDPOINT"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "UNDERSIGN_ENVIRONMENT: OTEL_EXPORTER_OTLP_ENDPOINT"),
    ],
)
def test_production_does_not_send_documents_or_traces_unencrypted(
    variable: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {**PRODUCTION, "UNDERSIGN_OBJECT_STORE": "gs://documents"}
    for address in ("http://203.0.113.5:4318", "http://collector", "HTTP://collector:1"):
        monkeypatch.setenv(variable, address)
        line, _ = errors_of(environment)
        assert line.startswith(named)
    for address in ("https://collector.example.com", "http://127.0.0.1:4318", "http://localhost:1", "http://[::1]:1"):
        monkeypatch.setenv(variable, address)
        assert production_checks.read_for_server(environment).is_production


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"UNDERSIGN_SMTP_URL": "smtp-plain://127.0.0.1:2525"},
        {"UNDERSIGN_SMTP_URL": "smtp-plain://[::1]"},
        {"UNDERSIGN_TRUSTED_PROXIES": "10.244.0.0/16,fd00::/48"},
        {"UNDERSIGN_PAYLOAD_KEYS": f"none,{new_payload_key()}"},
        {"UNDERSIGN_PAYLOAD_KEYS": "none"},
        *(
            {"UNDERSIGN_DATABASE_URL": f"postgresql://undersign@{rest}"}
            for rest in ("db/x?ssl=require", "127.0.0.1/x", "localhost/x", "[::1]/x", "/x?host=/run/postgresql")
        ),
        {
            "UNDERSIGN_DATABASE_URL": "postgresql://undersign@database/x",
            "UNDERSIGN_TEMPORAL_ADDRESS": "temporal:7233",
            "UNDERSIGN_RATE_LIMIT_STORAGE": "redis://cache",
            "UNDERSIGN_SMTP_URL": "smtp-plain://relay.example.com",
            "UNDERSIGN_UNENCRYPTED_HOSTS": "database, temporal,cache, relay.example.com",
        },
        {
            "UNDERSIGN_TEMPORAL_ADDRESS": "temporal.example.com:7233",
            "UNDERSIGN_TEMPORAL_API_KEY": "kX7-long-enough",
            "UNDERSIGN_RATE_LIMIT_STORAGE": "rediss://cache",
        },
        {"UNDERSIGN_METRICS_NETWORKS": "10.0.0.0/8,fd00::/8,203.0.113.0/24"},
        {"UNDERSIGN_SEAL_KEY": "pkcs11:token=t;object=o?module-path=/m.so", "UNDERSIGN_SEAL_PASSPHRASE": "4711"},
    ],
)
def test_production_starts_with_what_exposes_nothing(change: dict[str, str]) -> None:
    assert production_checks.read_for_server({**PRODUCTION, **change}).is_production


def test_production_needs_a_public_url_and_a_mail_server() -> None:
    lines = errors_of({"UNDERSIGN_ENVIRONMENT": "production"})

    assert [line.partition(" ")[0] for line in lines[:-1]] == [
        "UNDERSIGN_PUBLIC_URL",
        "UNDERSIGN_SMTP_URL",
        "UNDERSIGN_MAIL_FROM",
        "UNDERSIGN_PAYLOAD_KEYS",
    ]


def test_every_setting_has_a_description() -> None:
    assert [name for name, field in Settings.model_fields.items() if len(field.description or "") <= 20] == []


def test_the_reference_is_up_to_date() -> None:
    """`make settings` writes it."""
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == reference()


def test_no_setting_is_described_to_operators_as_a_regular_expression() -> None:
    assert "pattern" not in str(Settings.model_json_schema())
