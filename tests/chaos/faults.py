"""Brings faults by a schedule that a seed decides."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from random import Random
from threading import Event, Thread
from time import monotonic

from tests.chaos.cluster import API, EVERYTHING, TEMPORAL, WORKERS, Cluster, Disk
from tests.chaos.switches import ENGINES, MOMENTS
from tests.chaos.users import FAULTS_OVER

BOUNDARIES = tuple(
    f"die-{moment}-{activity}"
    for activity in (
        "record_session",
        "record_and_send",
        "send_invitation",
        "generate_document",
        "erase_objects",
        "erase_histories",
        "issue_receipt",
        "attempt_first",
        "deliver_callback",
    )
    for moment in MOMENTS
)
"""The places at which a worker can die right before or after an activity."""

TRAPS = 2
"""Boundaries that are armed at a time."""

FROZEN = 5.0
"""Seconds; a heartbeat may be late by three."""

Fault = Callable[[], str]


class FaultInjector(Thread, ABC):
    """Brings faults until `stop`. `done` counts them by kind, `spans` has their times, `failure` ended it early."""

    def __init__(self, cluster: Cluster, seed: int) -> None:
        super().__init__(name="injector", daemon=True)
        self.cluster = cluster
        self.random = Random(seed)  # noqa: S311  # a schedule, no secret
        self.done: Counter[str] = Counter()
        self.spans: list[tuple[float, float]] = []
        self.failure: Exception | None = None
        self._enough = Event()

    @abstractmethod
    def bring(self) -> None:
        """Brings one fault after another, until `pause` returns true."""

    @abstractmethod
    def relieve(self) -> None:
        """Ends all faults."""

    def run(self) -> None:
        try:
            self.bring()
        except Exception as failure:  # noqa: BLE001  # the report has it
            self.failure = failure
        finally:
            self.relieve()
            FAULTS_OVER.set()

    def stop(self) -> None:
        """Ends all faults; returns when everything works again."""
        self._enough.set()
        self.join()
        self.cluster.await_ready()

    def pause(self, least: float, most: float) -> bool:
        """Waits for a random time within those seconds; returns whether `stop` ended it."""
        return self._enough.wait(self.random.uniform(least, most))

    def note(self, name: str, began: float) -> None:
        self.spans.append((began, monotonic()))
        self.done[name] += 1


class Faults(FaultInjector):
    """Brings one fault after another, for `seconds` or until `stop`."""

    def __init__(self, cluster: Cluster, disk: Disk, seed: int, seconds: float) -> None:
        super().__init__(cluster, seed)
        self._disk = disk
        self._until = monotonic() + seconds
        self._traps: list[str] = []
        self._boundaries = list(BOUNDARIES)
        self.random.shuffle(self._boundaries)

    def bring(self) -> None:
        kinds: list[tuple[Fault, int]] = [
            (self._one_worker, 4),
            (self._both_workers, 2),
            (self._api, 3),
            (self._temporal, 2),
            (self._everything, 1),
            (self._frozen, 2),
            (self._stalled, 2),
            (self._failing, 4),
            (self._locked, 2),
            (self._full, 2 if self._disk.is_own else 0),
            (self._restarted, 2 if self.cluster.backends.settings else 0),
        ]
        faults, weights = zip(*kinds, strict=True)
        while not self.pause(1.0, 4.0) and monotonic() < self._until:
            self.cluster.start(*EVERYTHING)
            self._set_traps()
            [fault] = self.random.choices(faults, weights)
            began = monotonic()
            self.note(fault(), began)

    def relieve(self) -> None:
        self.cluster.switches.all_off()
        self.cluster.start(*EVERYTHING)

    def _set_traps(self) -> None:
        """Arms boundaries; one at which a worker died gives way to the next."""
        for place in [trap for trap in self._traps if not self.cluster.switches.is_on(trap)]:
            self._traps.remove(place)
            self.note(place, monotonic())
        while len(self._traps) < TRAPS:
            place, *others = self._boundaries
            self._boundaries = [*others, place]
            self.cluster.switches.turn_on(place)
            self._traps.append(place)

    def _one_worker(self) -> str:
        self.cluster.kill(self.random.choice(WORKERS))
        return "kill one worker"

    def _both_workers(self) -> str:
        self.cluster.kill(*WORKERS)
        self.pause(0, 1)
        return "kill both workers"

    def _api(self) -> str:
        self.cluster.kill(API)
        return "kill the API"

    def _temporal(self) -> str:
        self.cluster.kill(TEMPORAL)
        self.pause(0, 1)
        return "kill the Temporal server"

    def _everything(self) -> str:
        self.cluster.kill(*EVERYTHING)
        return "kill everything"

    def _frozen(self) -> str:
        worker = self.random.choice(WORKERS)
        self.cluster.freeze(worker)
        self.pause(FROZEN, FROZEN)
        self.cluster.thaw(worker)
        return "freeze a worker"

    def _stalled(self) -> str:
        """Freezes a server, which then accepts connections and does not answer."""
        engine = self.random.choice((API, TEMPORAL))
        self.cluster.freeze(engine)
        self.pause(1, 4)
        self.cluster.thaw(engine)
        return f"freeze the {'API' if engine == API else 'Temporal server'}"

    def _failing(self) -> str:
        how, engine = self.random.choice(("fail", "hang", "lose")), self.random.choice(ENGINES)
        self.cluster.switches.turn_on(f"{how}-{engine}")
        self.pause(0.5, 3)
        self.cluster.switches.turn_off(f"{how}-{engine}")
        return f"{engine} {how}s"

    def _locked(self) -> str:
        self.cluster.backends.lock(lambda: self.pause(0.5, 3))
        return "lock the database"

    def _restarted(self) -> str:
        self.cluster.backends.restart_database()
        return "restart the database as after a power failure"

    def _full(self) -> str:
        self._disk.fill()
        self.pause(0.5, 2)
        self._disk.relieve()
        return "fill the disk"
