"""`compose.yaml` and `make-secrets.sh`: valid, complete and consistent with the settings."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from api.serve import GRACE_SECONDS
from config import production_checks
from config.settings import Settings
from tests.deploy.files import DEPLOY, SETTINGS, is_command, project, read, run, seconds
from workflows.sdk.worker_config import SHUTDOWN_GRACE

FILE = DEPLOY / "compose.yaml"
COMPOSE = read(FILE)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OWN = ("migrate", "api", "worker")
"""The services that run the project's image."""

JOBS = {"migrate", "temporal-schema", "temporal-namespace"}
"""The services that end when their work is done."""

SECRETS = Path("/run/secrets")
MAIL_SERVER = "smtp://signing:kR7%2FwW2hQz@mail.example.com"


def environment(name: str) -> dict[str, str]:
    return SERVICES[name].get("environment", {})


def test_it_is_a_valid_compose_file() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    run(checker, "--builtin-schema", "vendor.compose-spec", FILE)


def make_secrets(folder: Path, server: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the script in `folder`."""
    script = folder / "make-secrets.sh"
    script.write_bytes((DEPLOY / "make-secrets.sh").read_bytes())
    return subprocess.run(["sh", script, *arguments], input=server, capture_output=True, text=True, check=False)


def secrets_in(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (folder / "secrets").iterdir()}


def test_the_script_creates_every_secret(tmp_path: Path) -> None:
    assert make_secrets(tmp_path, f"{MAIL_SERVER}\n").returncode == 0
    made = secrets_in(tmp_path)

    assert {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()} == set(made)
    assert made["smtp-url"] == MAIL_SERVER
    assert made["database-password"] in made["database-url"]
    assert made["database-password"] != made["temporal-database-password"]
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("server", ["", "\n", MAIL_SERVER])
def test_existing_secrets_stay(tmp_path: Path, server: str) -> None:
    make_secrets(tmp_path, MAIL_SERVER)
    before = secrets_in(tmp_path)

    done = make_secrets(tmp_path, server)

    assert (done.returncode, "has changed" in done.stdout) == (0, False)
    assert secrets_in(tmp_path) == before


def test_a_new_mail_server_replaces_the_former_one(tmp_path: Path) -> None:
    make_secrets(tmp_path, MAIL_SERVER)

    done = make_secrets(tmp_path, "smtp://signing:new@mail.example.com")

    assert secrets_in(tmp_path)["smtp-url"] == "smtp://signing:new@mail.example.com"
    assert "--force-recreate api worker" in done.stdout


def test_a_password_is_not_an_argument_and_a_mail_server_is_required(tmp_path: Path) -> None:
    argument = make_secrets(tmp_path, "", "smtp://signing:secret@mail.example.com")
    assert (argument.returncode, make_secrets(tmp_path, "").returncode) == (2, 2)
    assert "secret@" not in argument.stderr


def test_the_service_starts_with_these_settings_and_secrets(tmp_path: Path) -> None:
    make_secrets(tmp_path, MAIL_SERVER)
    given = {"UNDERSIGN_PUBLIC_URL": "https://sign.example.com", "UNDERSIGN_MAIL_FROM": "signing@example.com"}
    variables = {name: given.get(name, value) for name, value in environment("worker").items() if value is not None}
    variables = {name: value.replace(str(SECRETS), str(tmp_path / "secrets")) for name, value in variables.items()}

    settings = production_checks.read_for_server(variables)

    assert settings.is_production
    assert settings.temporal.payload_keys
    assert settings.database_address.startswith("postgresql+asyncpg://undersign:")


@pytest.mark.parametrize("name", SERVICES)
def test_secrets_and_volumes_exist(name: str) -> None:
    service = SERVICES[name]
    text = json.dumps([service.get("environment"), service.get("entrypoint")])
    if "/undersign/schema.sh" in service.get("entrypoint", ()):
        text += (DEPLOY / "temporal/schema.sh").read_text()

    assert set(re.findall(rf"{SECRETS}/([\w-]+)", text)) == set(service.get("secrets", ())) <= set(COMPOSE["secrets"])
    for mount in service.get("volumes", ()):
        source = mount.partition(":")[0]
        assert (DEPLOY / source).is_dir() if source.startswith(".") else source in COMPOSE["volumes"]


@pytest.mark.parametrize("name", OWN)
def test_settings_and_commands_exist_and_the_image_has_this_version(name: str) -> None:
    service = SERVICES[name]
    worker_only = {"UNDERSIGN_WORKER_HOST", "UNDERSIGN_WORKER_PORT"}
    shared = {variable: value for variable, value in environment(name).items() if variable not in worker_only}

    assert {variable.removesuffix("_FILE") for variable in environment(name)} <= SETTINGS
    assert shared == environment("migrate")
    assert is_command(service.get("command", ["python", "-m", "api"]))
    assert service["image"].endswith(f"undersign:{project()['project']['version']}}}")
    assert service["build"]["dockerfile"] == "deploy/Containerfile"


def test_ports_and_networks_are_consistent() -> None:
    port = Settings.model_fields["api_port"].default
    worker_port = environment("worker")["UNDERSIGN_WORKER_PORT"]
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    (job,) = read(DEPLOY / "prometheus/compose.yaml")["scrape_configs"]
    (ui,) = (published.rsplit(":", 1)[0] for published in SERVICES["temporal-ui"]["ports"])

    assert SERVICES["api"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f"'127.0.0.1', {port}" in " ".join(SERVICES["api"]["healthcheck"]["test"])
    assert f"'127.0.0.1', {worker_port}" in " ".join(SERVICES["worker"]["healthcheck"]["test"])
    assert environment("api")["UNDERSIGN_TRUSTED_PROXIES"] == network["gateway"]
    assert environment("api")["UNDERSIGN_METRICS_NETWORKS"] == network["subnet"]
    assert {name: where["port"] for where in job["dns_sd_configs"] for name in where["names"]} == {
        "api": port,
        "worker": int(worker_port),
    }
    origins = {f"http://{ui}", f"http://{ui.replace('127.0.0.1', 'localhost')}"}
    assert origins <= set(environment("api")["UNDERSIGN_TEMPORAL_UI"].split(","))


def test_alerts_exist_and_depend_on_no_job_name() -> None:
    (rules,) = read(DEPLOY / "prometheus/compose.yaml")["rule_files"]
    assert "job=" not in (DEPLOY / "prometheus" / rules).read_text()


def test_running_work_may_end_before_containers_are_killed() -> None:
    assert seconds(SERVICES["api"]["stop_grace_period"]) > GRACE_SECONDS
    assert seconds(SERVICES["worker"]["stop_grace_period"]) > SHUTDOWN_GRACE.total_seconds()


def test_the_scripts_for_backups_name_services_and_users_of_databases() -> None:
    text = "".join((DEPLOY / name).read_text(encoding="utf-8") for name in ("back-up.sh", "restore.sh"))
    databases = re.findall(r"^(?:dump|restore) (\S+) (\S+) \S+", text, re.MULTILINE)
    services = {*re.findall(r"exec -T (\w+)|--no-deps -T (\w+)", text)}

    assert len(databases) == 6
    assert {SERVICES[name]["environment"]["POSTGRES_USER"] == user for name, user in databases} == {True}
    assert {name for pair in services for name in pair if name} <= set(SERVICES)
    assert set(re.findall(r"compose stop (.*)", text)[0].split()) <= set(SERVICES)
    assert SERVICES["api"]["volumes"] == ["undersign:/var/lib/undersign"]
