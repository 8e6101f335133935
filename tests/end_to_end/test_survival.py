"""Sessions outlive the processes that serve them: signed never means stuck."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from cli.demo.command import connect
from cli.dev.data_directory import DevInfo
from cli.errors import DemoFailed
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation, is_alive
from tests.end_to_end.waiting import eventually, eventually_says
from undersign import Client

pytestmark = pytest.mark.installation


@contextmanager
def calls(dev_info: DevInfo) -> Iterator[Client]:
    service = connect(dev_info)
    try:
        yield service
    finally:
        service.close()


def has_signed(service: Client, agreement: Agreement, key: str) -> bool:
    """Returns whether this try, or an earlier one whose answer was lost, has signed."""
    with suppress(DemoFailed):
        agreement.sign(key)
        return True
    return service.get_session(agreement.session_id).status != "inProgress"


def test_a_session_goes_on_after_its_worker_was_killed(own_installation: Installation) -> None:
    output = len(own_installation.output)
    with calls(own_installation.dev_info) as service:
        agreement = Agreement(own_installation.dev_info, service)
        agreement.sign("client")

        own_installation.kill_worker()
        eventually(
            lambda: has_signed(service, agreement, "consultant"), "the consultant has signed, at once or at a later try"
        )

        assert agreement.await_documents().status == "completedAndGenerated"
    eventually_says(lambda: own_installation.output[output:], "The worker was ended by SIGKILL")


def test_a_session_goes_on_after_everything_was_killed_and_started_again(own_installation: Installation) -> None:
    before = own_installation.dev_info
    with calls(before) as service:
        agreement = Agreement(before, service)
        agreement.sign("client")

    own_installation.kill_all()
    after = own_installation.start()

    assert after == before
    with calls(after) as service:
        agreement = agreement.continued(after, service)
        agreement.sign("consultant")
        assert agreement.await_documents().status == "completedAndGenerated"
        assert len(service.list_documents(agreement.session_id).documents) == 1


def test_nothing_outlives_the_command_that_started_it(own_installation: Installation) -> None:
    before = own_installation.dev_info

    others = own_installation.kill_supervisor()

    assert len(others) >= 3  # the Temporal server, the worker and the API, and what those started
    eventually(lambda: not any(map(is_alive, others)), "its engines have ended with it")
    assert own_installation.start() == before


def test_a_stop_is_clean_and_the_next_start_finds_everything(own_installation: Installation) -> None:
    before = own_installation.dev_info
    with calls(before) as service:
        agreement = Agreement(before, service)

    code = own_installation.stop()
    left_behind = (own_installation.data_dir / "dev.json").exists()
    after = own_installation.start()

    assert (code, left_behind) == (0, False)
    assert after == before
    with calls(after) as service:
        assert service.get_session(agreement.session_id).status == "pending"


@pytest.mark.parametrize(
    ("variable", "member"), [("UNDERSIGN_API_PORT", "api_url"), ("UNDERSIGN_TEMPORAL_PORT", "temporal_address")]
)
def test_a_port_in_use_is_said_in_one_line(
    installation: Installation, tmp_path_factory: pytest.TempPathFactory, variable: str, member: str
) -> None:
    port = getattr(installation.dev_info, member).rpartition(":")[2]
    other = Installation(tmp_path_factory.mktemp("other") / "data", **{variable: port})

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
