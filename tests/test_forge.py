"""The files that a forge and editors read: they keep to their schemas, and name what exists."""

import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests import ROOT

SCHEMAS = {
    ".github/workflows/check.yaml": "github-workflows",
    ".github/ISSUE_TEMPLATE/config.yml": "github-issue-config",
    ".github/ISSUE_TEMPLATE/fault.yml": "github-issue-forms",
    ".github/ISSUE_TEMPLATE/request.yml": "github-issue-forms",
    "renovate.json": "renovate",
}

pytestmark = pytest.mark.packaging


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_file_keeps_to_its_schema(name: str) -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    subprocess.run([checker, "--builtin-schema", f"vendor.{SCHEMAS[name]}", ROOT / name], check=True)


def test_commands_are_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    for command in [*(hook["entry"] for hook in hooks), container["postCreateCommand"]]:
        assert set(command.removeprefix("make ").split()) <= targets


def test_attributes_are_of_files_that_exist() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    files = listed.stdout.splitlines()
    for line in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern = line.split()[0].removeprefix("**/")
            assert any(fnmatch.fnmatch(file, pattern) or fnmatch.fnmatch(Path(file).name, pattern) for file in files)
