"""Brings faults by a schedule that a seed decides."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from threading import Event, Thread
from time import monotonic

from tests.chaos.cluster import API, EVERYTHING, TEMPORAL, WORKERS, Cluster, Disk
from tests.chaos.switches import ENGINES, MOMENTS
from tests.chaos.users import FAULTS_OVER

BOUNDARIES = tuple(
    f"die-{moment}-{activity}"
    for activity in (
        *("record_session", "record_and_send", "send_invitation", "generate_document"),
        *("check_rows", "create_rows", "record_batch"),
        *("erase_objects", "erase_histories", "issue_receipt", "attempt_first", "deliver_callback"),
    )
    for moment in MOMENTS
)
"""The places at which a worker can die right before or after an activity."""

TRAPS = 2
"""Boundaries that are armed at a time."""

FROZEN = 5.0
"""Seconds; a heartbeat may be late by three."""

Fault = tuple[float, Callable[[], object]]
"""A weight, and what is done."""


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
        faults = self._faults()
        while not self.pause(1.0, 4.0) and monotonic() < self._until:
            self.cluster.start(*EVERYTHING)
            self._set_traps()
            [name] = self.random.choices(list(faults), [weight for weight, _ in faults.values()])
            began = monotonic()
            faults[name][1]()
            self.note(name, began)

    def _faults(self) -> dict[str, Fault]:
        kill, pause, choice = self.cluster.kill, self.pause, self.random.choice
        faults: dict[str, Fault] = {
            "kill one worker": (4, lambda: kill(choice(WORKERS))),
            "kill both workers": (2, lambda: (kill(*WORKERS), pause(0, 1))),
            "kill the API": (3, lambda: kill(API)),
            "kill the Temporal server": (2, lambda: (kill(TEMPORAL), pause(0, 1))),
            "kill everything": (1, lambda: kill(*EVERYTHING)),
            "freeze a worker": (2, lambda: self._freeze(choice(WORKERS), FROZEN, FROZEN)),
            # A server that is frozen accepts connections and does not answer.
            "freeze the API": (1, lambda: self._freeze(API, 1, 4)),
            "freeze the Temporal server": (1, lambda: self._freeze(TEMPORAL, 1, 4)),
            "lock the database": (2, lambda: self.cluster.backends.lock(lambda: pause(0.5, 3))),
        }
        for engine in ENGINES:
            for how in ("fail", "hang", "lose"):
                faults[f"{engine} {how}s"] = (4 / 9, partial(self._switch, f"{how}-{engine}"))
        if self._disk.is_own:
            faults["fill the disk"] = (2, self._fill)
        if self.cluster.backends.settings:
            faults["restart the database as after a power failure"] = (2, self.cluster.backends.restart_database)
        return faults

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

    def _freeze(self, process: str, least: float, most: float) -> None:
        self.cluster.freeze(process)
        self.pause(least, most)
        self.cluster.thaw(process)

    def _switch(self, name: str) -> None:
        self.cluster.switches.turn_on(name)
        self.pause(0.5, 3)
        self.cluster.switches.turn_off(name)

    def _fill(self) -> None:
        self._disk.fill()
        self.pause(0.5, 2)
        self._disk.relieve()
