"""A worker that is told to stop ends what it has begun, and loses no step."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

import pytest

from cli.demo.command import connect
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.conftest import client_of
from tests.end_to_end.installation import Installation, is_alive
from tests.end_to_end.waiting import eventually, eventually_says

pytestmark = pytest.mark.installation


class Receiver:
    """Takes its time for the first callback, until it is `released`; `calls` counts by callback."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.released = Event()
        self._lock = Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the name is http.server's
                self.rfile.read(int(self.headers.get("content-length") or 0))
                with receiver._lock:
                    receiver.calls[self.headers["webhook-id"]] += 1
                receiver.released.wait(10)
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Nothing."""

        return Handler


@contextmanager
def listening() -> Iterator[Receiver]:
    receiver = Receiver()
    thread = Thread(target=receiver.server.serve_forever, daemon=True)
    thread.start()
    yield receiver
    receiver.released.set()
    receiver.server.shutdown()
    receiver.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as receiver:
        yield receiver


def test_a_worker_that_is_told_to_stop_ends_its_work_and_another_goes_on(
    own_installation: Installation, receiver: Receiver
) -> None:
    with closing(connect(own_installation.dev_info)) as service:
        agreement = Agreement(own_installation.dev_info, service, callback_url=receiver.url)
        eventually(lambda: receiver.calls, "a callback is on its way")

        before = len(own_installation.log("worker"))

        worker = own_installation.stop_worker()
        eventually_says(lambda: own_installation.log("worker")[before:], "worker is stopping")
        was_waited_for = is_alive(worker)
        receiver.released.set()
        eventually(lambda: not is_alive(worker), "the worker has ended")
        eventually_says(lambda: own_installation.log("worker")[before:], "worker is ready")

        agreement.sign("client")
        agreement.sign("consultant")
        assert agreement.await_documents().status == "completedAndGenerated"
        with client_of(own_installation) as http:
            path = f"/api/v1/Session/{agreement.session_id}/Callbacks"
            told = eventually(lambda: _all_delivered(http.get(path).json()["callbacks"]), "all are delivered")

    assert was_waited_for
    assert set(receiver.calls.values()) == {1}
    assert len(receiver.calls) == len(told)


def _all_delivered(callbacks: list[dict[str, object]]) -> list[dict[str, object]] | None:
    announced = [callback for callback in callbacks if callback["status"] == "delivered"]
    return announced if len(announced) == len(callbacks) >= 6 else None
