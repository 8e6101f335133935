"""`make bench-steps`: processor time of each step of a session, by engine, on the engines of operators.

Processor time, not time on the clock: it is the same beside other work, and says what one core does.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from tests.chaos.house import API, TEMPORAL, WORKERS, House
from tests.chaos.people import CALM, ApiClient, Outbox, Person, eventually, ids_of
from tests.chaos.stack import Operated
from tests.chaos.stories import PEOPLE, body_of
from tests.end_to_end.installation import arguments_of, children_of, processor_seconds_of
from tests.engines import Engines, real_engines
from workflows.policies import CLOSING_GRACE

SESSIONS = 40
AT_ONCE = 4

IDLE_SECONDS = 10.0
"""What engines do when nobody asks is measured for so long, and taken off."""

Session = dict[str, Any]


class Meter:
    """Processor seconds of each engine so far."""

    def __init__(self, house: House, engines: Engines) -> None:
        [storage] = [pid for pid in children_of(os.getpid()) if "fake-gcs" in arguments_of(pid)[0]]
        postmaster = Path(engines.database_folder, "data", "postmaster.pid").read_text(encoding="ascii").split()[0]
        self._roots = {
            "API": [house.process_id(API)],
            "workers": [house.process_id(worker) for worker in WORKERS],
            "Temporal": [house.process_id(TEMPORAL)],
            "PostgreSQL": [int(postmaster)],
            "storage": [storage],
        }

    def read(self) -> Mapping[str, float]:
        return {name: sum(map(processor_seconds_of, roots)) for name, roots in self._roots.items()}


class Load:
    """A client and recipients who take `SESSIONS` sessions through one step after another."""

    def __init__(self, house: House) -> None:
        client, _ = house.build()
        self._client = client
        self._outbox = Outbox(house.outbox)
        self.sessions: dict[int, Session] = {}
        self.asked: Session = {}
        """What is asked for of each session besides."""

    def create(self, number: int) -> None:
        body = body_of(f"bench {number}", (1, 2), 1) | self.asked
        self.sessions[number] = self._api().call("POST", "/api/v1/Session", json=body, headers=_key()).json()

    def send(self, number: int) -> None:
        session_id = self.sessions[number]["sessionId"]
        self._api().call("POST", f"/api/v1/Session/{session_id}/Send", headers=_key())
        self._link(number, PEOPLE[0])

    def sign_first(self, number: int) -> None:
        self._sign(number, PEOPLE[0])
        self._link(number, PEOPLE[1])

    def sign_last(self, number: int) -> None:
        self._sign(number, PEOPLE[1])
        session_id = self.sessions[number]["sessionId"]
        api = self._api()
        eventually(lambda: api.session(session_id)["status"] == "completedAndGenerated" or None, "generated")

    def rest(self, number: int) -> None:
        """Nothing: what happens is done by the session itself."""

    def live(self, number: int) -> None:
        """All that changes a session, from created to sealed."""
        for act in (self.create, self.send, self.sign_first, self.sign_last):
            act(number)

    def read(self, number: int) -> None:
        self._api().session(self.sessions[number]["sessionId"])

    def download(self, number: int) -> None:
        self._api().call("GET", f"/api/v1/Session/{self.sessions[number]['sessionId']}/Documents")

    def _api(self) -> ApiClient:
        return ApiClient(self._client)

    def _link(self, number: int, who: str) -> str:
        session = self.sessions[number]
        recipient_id = ids_of(session)[who]
        return eventually(lambda: self._outbox.link(session["sessionId"], recipient_id), "a mail")

    def _sign(self, number: int, who: str) -> None:
        session_id, api = self.sessions[number]["sessionId"], self._api()

        def has_signed() -> bool:
            return any(r["key"] == who and r["status"] == "completed" for r in api.session(session_id)["recipients"])

        Person(self._link(number, who), who.title(), has_signed).sign()


SETTLING = {"sign, stamp, seal": 4.0, "close, a minute later": CLOSING_GRACE.total_seconds() + 10}
"""Seconds that belong to a step after it: rows follow, and runs end."""

STEPS: dict[str, Callable[[Load, int], None]] = {
    "create (one document laid out)": Load.create,
    "send and invite": Load.send,
    "sign, and invite the next": Load.sign_first,
    "sign, stamp, seal": Load.sign_last,
    "close, a minute later": Load.rest,
    "read": Load.read,
    "hand the documents out": Load.download,
}


def measure(folder: Path) -> None:
    (folder / "engines").mkdir(parents=True)
    with real_engines(folder / "engines", folder / "mails") as engines:
        house = House(folder, Operated(engines))
        CALM.set()
        try:
            load = Load(house)
            meter = Meter(house, engines)
            sleep(3)  # what a start leaves behind
            _table(load, meter, _idle(meter))
        finally:
            house.close()


def _idle(meter: Meter) -> Mapping[str, float]:
    """Processor seconds that each engine uses in a second when nobody asks for anything."""
    before, began = meter.read(), monotonic()
    sleep(IDLE_SECONDS)
    after, seconds = meter.read(), monotonic() - began
    return {name: (after[name] - before[name]) / seconds for name in after}


def _table(load: Load, meter: Meter, idle: Mapping[str, float]) -> None:
    names = list(meter.read())
    print(f"| CPU-ms a step, {SESSIONS} sessions | {' | '.join(names)} | all | steps a core does in a second |")
    print("|---|" + "---|" * (len(names) + 2))
    rest = [idle[name] * 1000 for name in names]
    print(f"| idle, a second | {' | '.join(f'{one:.1f}' for one in rest)} | {sum(rest):.1f} | |")
    for step, act in STEPS.items():
        before, began = meter.read(), monotonic()
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for done in [threads.submit(act, load, number) for number in range(SESSIONS)]:
                done.result()
        sleep(SETTLING.get(step, 1.0))
        after, seconds = meter.read(), monotonic() - began
        spent = [max(0.0, after[name] - before[name] - idle[name] * seconds) * 1000 / SESSIONS for name in names]
        cells = " | ".join(f"{milliseconds:.1f}" for milliseconds in spent)
        print(f"| {step} | {cells} | {sum(spent):.1f} | {1000 / sum(spent):.0f} |", flush=True)
        print(f"{step}: {monotonic() - began:.0f} s", file=sys.stderr)


def _key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid4())}


if __name__ == "__main__":
    measure(Path(tempfile.mkdtemp(prefix="bench-steps-")))
    sys.stdout.flush()
    os._exit(0)
