"""The mails of an installation that sends none out, read from its folder as they come."""

from collections import defaultdict
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

from tests.http_requests import PATIENCE

_LOOK_EVERY = 0.01


class Outbox:
    """Reads each mail once, for all threads that ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: set[str] = set()
        self._texts: defaultdict[str, list[str]] = defaultdict(list)
        self._lock = Lock()

    def wait_for_mails(self, address: str, count: int) -> list[str]:
        """The texts of the mails to `address` as soon as there are `count` of them, the oldest first.

        Raises:
            TimeoutError: there are fewer after `PATIENCE` seconds.
        """
        deadline = monotonic() + PATIENCE
        while len(found := self._texts_to(address)) < count:
            if monotonic() > deadline:
                raise TimeoutError(f"{address} has {len(found)} mails in {self._folder}, not {count}")
            sleep(_LOOK_EVERY)
        return found

    def _texts_to(self, address: str) -> list[str]:
        with self._lock:
            for path in sorted({*self._folder.glob("*.eml")}, key=lambda path: path.name):
                if path.name not in self._read:
                    self._read.add(path.name)
                    message = message_from_bytes(path.read_bytes(), policy=default)
                    body = message.get_body(("plain",))
                    text = str(body.get_content()) if body else ""
                    for to in message["To"].addresses:
                        self._texts[to.addr_spec].append(text)
            return list(self._texts[address])
