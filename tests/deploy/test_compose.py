"""The service on one host: what the file names exists, and fits together."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from api.__main__ import GRACE_SECONDS
from settings import Settings
from tests.deploy.files import DEPLOY, SETTINGS, is_a_command_of_ours, project, read, seconds
from worker import SHUTDOWN_GRACE

FILE = DEPLOY / "compose.yaml"
COMPOSE = read(FILE)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("migrate", "api", "worker")
ONCE = {"migrate", "temporal-schema", "temporal-namespace"}
"""What ends when its work is done."""

SECRETS = Path("/run/secrets")


def environment(name: str) -> dict[str, str]:
    return SERVICES[name].get("environment", {})


def test_it_is_a_compose_file() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [checker, "--builtin-schema", "vendor.compose-spec", FILE], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", OURS)
def test_what_is_set_are_settings(name: str) -> None:
    assert environment(name)
    assert {variable.removesuffix("_FILE") for variable in environment(name)} <= SETTINGS


@pytest.mark.parametrize("name", ["api", "worker"])
def test_api_and_worker_are_told_the_same_but_for_the_port_of_the_worker(name: str) -> None:
    own = {"UNDERSIGN_WORKER_HOST", "UNDERSIGN_WORKER_PORT"}

    assert {key: value for key, value in environment(name).items() if key not in own} == environment("migrate")


def make_secrets(folder: Path, server: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Calls the script in `folder`, which it makes them in."""
    script = folder / "make-secrets.sh"
    script.write_bytes((DEPLOY / "make-secrets.sh").read_bytes())
    return subprocess.run(["sh", script, *arguments], input=server, capture_output=True, text=True, check=False)


def test_every_secret_is_a_file_that_the_script_makes(tmp_path: Path) -> None:
    url = "smtp://signing:p%2Fw@mail.example.com"
    assert make_secrets(tmp_path, f"{url}\n").returncode == 0
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}

    assert {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()} == set(made)
    assert made["smtp-url"] == url
    assert made["database-password"] in made["database-url"]
    assert made["database-password"] != made["temporal-database-password"]
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("given", ["", "\n", "smtp://signing:old@mail.example.com"])
def test_secrets_that_are_there_stay_when_nothing_new_is_given(tmp_path: Path, given: str) -> None:
    make_secrets(tmp_path, "smtp://signing:old@mail.example.com")
    before = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}

    done = make_secrets(tmp_path, given)

    assert (done.returncode, "another one" in done.stdout) == (0, False)
    assert {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()} == before


def test_another_mail_server_takes_the_place_of_the_one_before_and_what_to_do_is_said(tmp_path: Path) -> None:
    make_secrets(tmp_path, "smtp://signing:old@mail.example.com")

    done = make_secrets(tmp_path, "smtp://signing:new@mail.example.com")

    assert (tmp_path / "secrets/smtp-url").read_text() == "smtp://signing:new@mail.example.com"
    assert "--force-recreate api worker" in done.stdout


def test_a_password_is_no_argument_and_a_mail_server_is_needed(tmp_path: Path) -> None:
    argument = make_secrets(tmp_path, "", "smtp://signing:secret@mail.example.com")

    assert (argument.returncode, make_secrets(tmp_path, "").returncode) == (2, 2)
    assert "secret@" not in argument.stderr


def test_the_service_starts_with_these_settings_and_secrets(tmp_path: Path) -> None:
    make_secrets(tmp_path, "smtp://signing:kR7%2FwW2hQz@mail.example.com")
    given = {"UNDERSIGN_PUBLIC_URL": "https://sign.example.com", "UNDERSIGN_MAIL_FROM": "signing@example.com"}
    told = {name: given.get(name, value) for name, value in environment("worker").items() if value is not None}
    told = {name: value.replace(str(SECRETS), str(tmp_path / "secrets")) for name, value in told.items()}

    settings = Settings.read_to_serve(told)

    assert settings.is_production
    assert settings.temporal.payload_keys
    assert settings.database_address.startswith("postgresql+asyncpg://undersign:")


@pytest.mark.parametrize("name", SERVICES)
def test_every_secret_that_is_read_is_mounted_and_declared(name: str) -> None:
    service = SERVICES[name]
    read_here = set(
        re.findall(rf"{SECRETS}/([\w-]+)", json.dumps([service.get("environment"), service.get("entrypoint")]))
    )
    if "/undersign/schema.sh" in service.get("entrypoint", ()):
        read_here |= set(re.findall(rf"{SECRETS}/([\w-]+)", (DEPLOY / "temporal/schema.sh").read_text()))

    assert read_here == set(service.get("secrets", ()))
    assert read_here <= set(COMPOSE["secrets"])


@pytest.mark.parametrize("name", OURS)
def test_ours_run_what_is_there_from_the_same_image_and_write_to_the_volume_only(name: str) -> None:
    service = SERVICES[name]

    assert is_a_command_of_ours(service.get("command", ["python", "-m", "api"]))
    assert service["image"].endswith(f"undersign:{project()['project']['version']}}}")
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["volumes"] == ["undersign:/var/lib/undersign"]


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_limits_a_policy_of_restarts_and_no_new_rights(name: str) -> None:
    service = SERVICES[name]

    assert {"cpus", "memory", "pids"} <= set(service["deploy"]["resources"]["limits"])
    assert service["restart"] == ("on-failure:5" if name in ONCE else "unless-stopped")
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", sorted(set(SERVICES) - ONCE - {"temporal-ui", "prometheus"}))
def test_every_service_that_others_wait_for_says_how_it_is(name: str) -> None:
    assert {"test", "interval", "timeout", "retries", "start_period"} <= set(SERVICES[name]["healthcheck"])


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_waits_for_what_it_needs(name: str) -> None:
    for other, how in SERVICES[name].get("depends_on", {}).items():
        wanted = "service_completed_successfully" if other in ONCE else "service_healthy"
        assert how == {"condition": wanted}


@pytest.mark.parametrize("name", SERVICES)
def test_nothing_is_published_to_the_world(name: str) -> None:
    assert all(port.startswith("127.0.0.1:") for port in SERVICES[name].get("ports", ()))


def test_ports_are_those_that_the_service_listens_at() -> None:
    port = Settings.model_fields["api_port"].default
    own = environment("worker")["UNDERSIGN_WORKER_PORT"]

    assert SERVICES["api"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f"'127.0.0.1', {port}" in " ".join(SERVICES["api"]["healthcheck"]["test"])
    assert f"'127.0.0.1', {own}" in " ".join(SERVICES["worker"]["healthcheck"]["test"])


def test_a_proxy_on_the_host_is_believed_and_comes_through_the_gateway() -> None:
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]

    assert environment("api")["UNDERSIGN_TRUSTED_PROXIES"] == network["gateway"]


def test_prometheus_may_ask_api_and_workers_where_they_tell_figures() -> None:
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    (job,) = read(DEPLOY / "prometheus/compose.yaml")["scrape_configs"]
    asked = {name: where["port"] for where in job["dns_sd_configs"] for name in where["names"]}

    assert environment("api")["UNDERSIGN_METRICS_NETWORKS"] == network["subnet"]
    assert asked == {
        "api": Settings.model_fields["api_port"].default,
        "worker": int(environment("worker")["UNDERSIGN_WORKER_PORT"]),
    }
    assert asked.keys() <= SERVICES.keys()


def test_alerts_are_loaded_and_depend_on_no_name_of_a_job() -> None:
    configuration = read(DEPLOY / "prometheus/compose.yaml")
    (rules,) = configuration["rule_files"]

    assert "job=" not in (DEPLOY / "prometheus" / rules).read_text()


@pytest.mark.parametrize("name", ["migrate", "api", "worker"])
def test_the_image_is_built_for_each_that_runs_it_and_looked_for_in_no_registry(name: str) -> None:
    assert SERVICES[name]["build"]["dockerfile"] == "deploy/Containerfile"


def test_pages_of_the_temporal_ui_may_have_payloads_decrypted_at_each_address_that_leads_there() -> None:
    (port,) = (published.rsplit(":", 1)[0] for published in SERVICES["temporal-ui"]["ports"])
    told = environment("api")["UNDERSIGN_TEMPORAL_UI"].split(",")

    assert f"http://{port}" in told
    assert f"http://{port.replace('127.0.0.1', 'localhost')}" in told


def test_what_is_under_way_may_end_before_the_containers_are_killed() -> None:
    assert seconds(SERVICES["api"]["stop_grace_period"]) > GRACE_SECONDS
    assert seconds(SERVICES["worker"]["stop_grace_period"]) > SHUTDOWN_GRACE.total_seconds()


@pytest.mark.parametrize("name", SERVICES)
def test_every_folder_that_is_mounted_is_there_or_a_volume(name: str) -> None:
    for mount in SERVICES[name].get("volumes", ()):
        source = mount.partition(":")[0]
        assert (DEPLOY / source).is_dir() if source.startswith(".") else source in COMPOSE["volumes"]
