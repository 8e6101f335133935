"""Sessions outlive the processes that serve them."""

import os
from contextlib import suppress
from pathlib import Path
from threading import Event

import pytest

from application.schemas.callbacks import CallbackRead
from cli.output import DemoFailed
from tests.end_to_end.agreement import Agreement, run_example
from tests.end_to_end.installation import COMMAND, Installation, is_alive
from tests.end_to_end.waiting import eventually, eventually_says
from tests.webhook_receiver import WebhookReceiver

AS_OTHERS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
"""Without these capabilities root is refused what the bits of a file refuse."""


class SlowReceiver(WebhookReceiver):
    """Answers once it is `released`, or after ten seconds."""

    def __init__(self) -> None:
        self.released = Event()
        super().__init__()

    def take(self, headers: dict[str, str], body: bytes) -> int:
        status = super().take(headers, body)
        self.released.wait(10)
        return status


def has_signed(agreement: Agreement, key: str) -> bool:
    """Returns whether this try, or an earlier one whose answer was lost, has signed."""
    with suppress(DemoFailed):
        agreement.sign(key)
        return True
    return agreement.now.status != "inProgress"


def test_a_session_goes_on_after_its_worker_was_killed(own_installation: Installation) -> None:
    output = len(own_installation.output)
    agreement = Agreement.of(own_installation)
    agreement.sign("client")

    own_installation.kill_worker()
    eventually(lambda: has_signed(agreement, "consultant"), "the consultant has signed, at once or at a later try")

    assert agreement.complete().status == "completedAndGenerated"
    eventually_says(lambda: own_installation.output[output:], "The worker was ended by SIGKILL")


def test_a_worker_that_is_asked_to_stop_ends_its_work_and_another_goes_on(own_installation: Installation) -> None:
    with SlowReceiver() as receiver:
        agreement = Agreement.of(own_installation, callbackUrl=receiver.url)
        eventually(lambda: receiver.calls, "a callback is on its way", longest=0.05)

        logged = len(own_installation.log("worker"))
        worker = own_installation.stop_worker()
        eventually_says(lambda: own_installation.log("worker")[logged:], "worker is stopping")
        was_waited_for = is_alive(worker)
        receiver.released.set()
        eventually(lambda: not is_alive(worker), "the worker has ended")
        eventually_says(lambda: own_installation.log("worker")[logged:], "worker is ready")

        assert agreement.complete().status == "completedAndGenerated"
        callbacks = eventually(lambda: _if_all_delivered(own_installation, agreement), "all are delivered")

    assert was_waited_for
    assert set(receiver.calls.values()) == {1}
    assert len(receiver.calls) == len(callbacks)


def _if_all_delivered(installation: Installation, agreement: Agreement) -> tuple[CallbackRead, ...]:
    callbacks = installation.service.list_callbacks(agreement.session_id).callbacks
    return callbacks if len(callbacks) >= 6 and {one.status for one in callbacks} == {"delivered"} else ()


def test_a_session_goes_on_after_everything_was_killed_and_started_again(own_installation: Installation) -> None:
    before = own_installation.dev_info
    agreement = Agreement.of(own_installation)
    agreement.sign("client")

    own_installation.kill_all()
    after = own_installation.start()

    assert after == before
    assert agreement.complete().status == "completedAndGenerated"
    assert len(own_installation.service.list_documents(agreement.session_id).documents) == 1


def test_nothing_outlives_the_command_that_started_it(own_installation: Installation) -> None:
    before = own_installation.dev_info

    others = own_installation.kill_supervisor()

    assert len(others) >= 3  # the Temporal server, the worker and the API, and what those started
    eventually(lambda: not any(map(is_alive, others)), "its engines have ended with it")
    assert own_installation.start() == before


def test_after_a_clean_stop_a_start_with_keys_that_it_cannot_write_finds_everything(
    own_installation: Installation, tmp_path: Path
) -> None:
    before, keys = own_installation.dev_info, own_installation.data_dir / "keys"
    agreement = Agreement.of(own_installation)

    code = own_installation.stop()

    left_behind = (own_installation.data_dir / "dev.json").exists()
    assert (code, left_behind) == (0, False), own_installation.output
    folders = [keys, *(path for path in keys.rglob("*") if path.is_dir())]
    times = {path: path.stat().st_mtime_ns for path in keys.rglob("*")}
    for folder in folders:
        folder.chmod(0o500)
    if os.geteuid() == 0:
        own_installation.command = (*AS_OTHERS, *COMMAND)
    try:
        assert own_installation.run("key", "rotate").returncode != 0, "the folder can be written"
        assert own_installation.start() == before
        assert agreement.now.status == "pending"
        run_example(own_installation, tmp_path)
        doctor = own_installation.run("doctor")
        assert doctor.returncode == 0, doctor.stdout + doctor.stderr
        assert own_installation.stop() == 0, own_installation.output
        assert {path: path.stat().st_mtime_ns for path in keys.rglob("*")} == times
    finally:
        own_installation.command = COMMAND
        for folder in folders:
            folder.chmod(0o700)


@pytest.mark.parametrize(
    ("variable", "member"), [("UNDERSIGN_API_PORT", "api_url"), ("UNDERSIGN_TEMPORAL_PORT", "temporal_address")]
)
def test_a_port_in_use_is_reported_in_one_line(
    installation: Installation, tmp_path: Path, variable: str, member: str
) -> None:
    port = getattr(installation.dev_info, member).rpartition(":")[2]
    other = Installation(tmp_path / "data", **{variable: port})

    answer = other.run("dev")

    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1
    assert f"Port {port}" in answer.stderr
    assert variable in answer.stderr


def test_a_second_service_on_the_same_data_is_refused_in_one_line(installation: Installation) -> None:
    answer = installation.run("dev")

    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1
    assert installation.dev_info.api_url in answer.stderr
