"""The data directory: usable, private, and held by one service at a time."""

import stat
from pathlib import Path

import pytest

from cli.dev.data_directory import lock_data_directory, prepare_data_directory, rotate_log
from cli.dev.dev_info import write_dev_info
from cli.errors import InvalidInput
from tests.cli.dev_info import DEV_INFO


def test_a_new_data_directory_is_for_its_owner_only(tmp_path: Path) -> None:
    prepare_data_directory(tmp_path / "deep" / "down")

    assert stat.S_IMODE((tmp_path / "deep" / "down").stat().st_mode) == 0o700


def test_preparing_twice_changes_nothing(tmp_path: Path) -> None:
    prepare_data_directory(tmp_path)
    (tmp_path / "logs" / "api.log").write_text("kept")

    prepare_data_directory(tmp_path)

    assert (tmp_path / "logs" / "api.log").read_text() == "kept"


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_what_cannot_be_a_directory_is_refused_with_the_setting_to_change(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(InvalidInput, match="UNDERSIGN_DATA_DIR"):
        prepare_data_directory(tmp_path / place)


def test_a_second_service_on_the_same_directory_is_told_where_the_first_one_runs(tmp_path: Path) -> None:
    prepare_data_directory(tmp_path)
    with lock_data_directory(tmp_path):
        write_dev_info(tmp_path, DEV_INFO)

        with pytest.raises(InvalidInput, match=DEV_INFO.api_url), lock_data_directory(tmp_path):
            pass


def test_a_service_that_has_ended_leaves_the_directory_to_the_next_one(tmp_path: Path) -> None:
    prepare_data_directory(tmp_path)
    with lock_data_directory(tmp_path):
        pass

    with lock_data_directory(tmp_path):
        assert (tmp_path / "lock").read_text().isdigit()


def test_the_log_of_the_run_before_is_kept_beside_the_new_one(tmp_path: Path) -> None:
    prepare_data_directory(tmp_path)
    rotate_log(tmp_path, "api").write_text("the first run")

    log = rotate_log(tmp_path, "api")

    assert not log.exists()
    assert log.with_name("api.previous.log").read_text() == "the first run"
