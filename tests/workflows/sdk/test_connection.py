"""Where Temporal is looked for: the settings first, then Temporal's own environment and profiles."""

from pathlib import Path

import pytest

from domain.shared.errors import ConfigError
from workflows.sdk.connection import connect_config
from workflows.sdk.temporal_settings import TemporalConfig

PROFILES = """
[profile.default]
address = "profile.example.com:7233"
namespace = "of-the-profile"

[profile.cloud]
address = "cloud.example.com:7233"
namespace = "signing.a1b2c"
api_key = "from-the-file"

[profile.mutual]
address = "mutual.example.com:7233"
[profile.mutual.tls]
server_name = "temporal.internal"
client_cert_data = "certificate"
client_key_data = "key"
"""


@pytest.fixture(autouse=True)
def _no_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(tmp_path / "none.toml"))


@pytest.fixture
def profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporal.toml").write_text(PROFILES, encoding="utf-8")
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(tmp_path / "temporal.toml"))


def test_settings_precede_the_environment_and_the_profile_and_without_any_it_is_this_machine(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    assert connect_config(TemporalConfig()) == {"target_host": "127.0.0.1:7233", "namespace": "default"}
    request.getfixturevalue("profiles")
    config = connect_config(TemporalConfig())
    assert (config.get("target_host"), config.get("namespace")) == ("profile.example.com:7233", "of-the-profile")
    monkeypatch.setenv("TEMPORAL_ADDRESS", "environment.example.com:7233")
    config = connect_config(TemporalConfig("chosen.example.com:7233", "chosen"))
    assert (config.get("target_host"), config.get("namespace")) == ("chosen.example.com:7233", "chosen")


@pytest.mark.usefixtures("profiles")
def test_a_profile_has_an_api_key_or_certificates_and_a_missing_one_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TEMPORAL_PROFILE", "mutual")
    tls = connect_config(TemporalConfig()).get("tls")
    assert not isinstance(tls, bool)
    assert tls
    assert (tls.domain, tls.client_cert, tls.client_private_key) == ("temporal.internal", b"certificate", b"key")
    monkeypatch.setenv("TEMPORAL_PROFILE", "typo")
    with pytest.raises(ConfigError, match=r"^Temporal's configuration .*typo") as caught:
        connect_config(TemporalConfig())
    assert "\n" not in str(caught.value)
    monkeypatch.setenv("TEMPORAL_PROFILE", "cloud")
    config = connect_config(TemporalConfig())
    assert (config.get("api_key"), config.get("tls")) == ("from-the-file", True)
    monkeypatch.setenv("TEMPORAL_API_KEY", "from-the-environment")
    assert connect_config(TemporalConfig()).get("api_key") == "from-the-environment"


@pytest.mark.parametrize("line", ['api_key = "SECRET', 'api_key = ["SECRET"]'], ids=["no TOML", "no text"])
def test_a_mistake_in_the_file_is_named_by_its_place_and_not_quoted(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mistaken.toml").write_text(f"[profile.default]\n{line}\n", encoding="utf-8")
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(tmp_path / "mistaken.toml"))
    with pytest.raises(ConfigError, match=r"line 2, column \d+$") as caught:
        connect_config(TemporalConfig())
    assert "SECRET" not in str(caught.value)
