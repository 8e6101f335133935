"""What recipients enter, in a whole installation: where it can be read, and where it cannot be found."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest

from cli.demo.command import read_example
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.folders import files_below
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from undersign import Client, Refused

pytestmark = pytest.mark.installation

_TEXT = "purchase_order"
"""An input of the example."""


@contextmanager
def receiving() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of a receiver, and the bodies that came there."""
    bodies: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name is http.server's
            bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", bodies
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_what_was_entered_is_read_by_api_and_callback_and_is_in_the_store_alone(
    installation: Installation, service: Client
) -> None:
    mark = f"Zanzibar {uuid4()}"
    with receiving() as (url, bodies):
        asked = {**json.loads(read_example()[0]), "callbackUrl": url, "callbackValues": True, "sendImmediately": True}
        agreement = Agreement(installation.dev_info, service, service.create_session(asked))
        agreement.sign("client", **{_TEXT: mark})

        def told() -> list[dict[str, Any]]:
            return [body["data"] for body in bodies if body["type"] == "recipient.completed"]

        (announced,) = eventually(told, "the receiver was told of the signature")
        others = [body for body in bodies if body["type"] != "recipient.completed"]
        read = service.get_values(agreement.session_id)
        events = [event.type for event in service.list_events(agreement.session_id).events]

    assert announced["files"] == [file.model_dump(mode="json", by_alias=True) for file in read.files]
    assert {value.name: value.value for value in read.files[0].values}[_TEXT] == mark
    assert events.count("session.valuesRead") == 1
    assert mark not in json.dumps(others)
    assert holders(installation, mark) == {f"{agreement.session_id}/submissions"}

    service.delete_session(agreement.session_id, permanent=True)
    with pytest.raises(Refused) as refused:
        service.get_values(agreement.session_id)
    assert refused.value.status == 404
    eventually(lambda: not holders(installation, mark), "nothing of it is left")


def holders(installation: Installation, mark: str) -> set[str]:
    """Where in the data of the installation `mark` can be read: databases, Temporal's too, objects, logs and mails."""
    return {
        "/".join(path.parts[-4:-2]) if "submissions" in path.parts else path.name
        for path in files_below(installation.data_dir)
        if _holds(path, mark)
    }


def _holds(path: Path, mark: str) -> bool:
    with suppress(FileNotFoundError):  # deleted meanwhile
        return mark.encode() in path.read_bytes()
    return False
