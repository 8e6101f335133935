"""What goes wrong, when, and for how long: a schedule that one seed decides."""

from collections import Counter
from collections.abc import Callable
from random import Random
from threading import Event, Thread
from time import monotonic

from tests.chaos.house import API, EVERYTHING, TEMPORAL, WORKERS, Disk, House
from tests.chaos.people import CALM
from tests.chaos.switches import ENGINES, MOMENTS

BOUNDARIES = tuple(
    f"die-{moment}-{activity}"
    for activity in (
        "record_session",
        "issue_link",
        "send_invitation",
        "generate_document",
        "load_session",
        "bury_session",
        "erase_objects",
        "erase_histories",
        "issue_receipt",
    )
    for moment in MOMENTS
)
"""Every place at which a worker can die with an effect half done, or done and not yet told."""

TRAPS = 2
"""Boundaries that are armed at a time."""

FROZEN = 5.0
"""Seconds; a heartbeat may be late by three."""

Fault = Callable[[], str]


class Faults(Thread):
    """Brings one fault after another, for `seconds` or until it is told to stop. `done` counts them by kind."""

    def __init__(self, house: House, disk: Disk, seed: int, seconds: float) -> None:
        super().__init__(name="faults", daemon=True)
        self._house, self._disk = house, disk
        self._random = Random(seed)  # noqa: S311  # a schedule, no secret
        self._enough = Event()
        self._until = monotonic() + seconds
        self.done: Counter[str] = Counter()
        self.spans: list[tuple[float, float]] = []
        self._traps: list[str] = []
        self._boundaries = list(BOUNDARIES)
        self._random.shuffle(self._boundaries)

    def run(self) -> None:
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
            (self._restarted, 2 if self._house.stack.settings else 0),
        ]
        try:
            self._bring(kinds)
        finally:
            self._house.switches.all_off()
            self._house.start(*EVERYTHING)
            CALM.set()

    def _bring(self, kinds: list[tuple[Fault, int]]) -> None:
        faults, weights = zip(*kinds, strict=True)
        while not self._pause(1.0, 4.0) and monotonic() < self._until:
            self._house.start(*EVERYTHING)
            self._set_traps()
            [fault] = self._random.choices(faults, weights)
            began = monotonic()
            self._note(fault(), began)

    def stop(self) -> None:
        """Returns when everything works again."""
        self._enough.set()
        self.join()
        self._house.await_ready()

    def _pause(self, least: float, most: float) -> bool:
        """Whether it was cut short, since it is enough."""
        return self._enough.wait(self._random.uniform(least, most))

    def _set_traps(self) -> None:
        """Some boundaries are always armed; one that a worker died at gives way to the next."""
        for place in [trap for trap in self._traps if not self._house.switches.is_on(trap)]:
            self._traps.remove(place)
            self._note(place, monotonic())
        while len(self._traps) < TRAPS:
            place, *others = self._boundaries
            self._boundaries = [*others, place]
            self._house.switches.turn_on(place)
            self._traps.append(place)

    def _note(self, name: str, began: float) -> None:
        self.spans.append((began, monotonic()))
        self.done[name] += 1

    def _one_worker(self) -> str:
        self._house.kill(self._random.choice(WORKERS))
        return "kill one worker"

    def _both_workers(self) -> str:
        self._house.kill(*WORKERS)
        self._pause(0, 1)
        return "kill both workers"

    def _api(self) -> str:
        self._house.kill(API)
        return "kill the API"

    def _temporal(self) -> str:
        self._house.kill(TEMPORAL)
        self._pause(0, 1)
        return "kill the Temporal server"

    def _everything(self) -> str:
        self._house.kill(*EVERYTHING)
        return "kill everything"

    def _frozen(self) -> str:
        worker = self._random.choice(WORKERS)
        self._house.freeze(worker)
        self._pause(FROZEN, FROZEN)
        self._house.thaw(worker)
        return "freeze a worker"

    def _stalled(self) -> str:
        """A server that takes connections and says nothing."""
        engine = self._random.choice((API, TEMPORAL))
        self._house.freeze(engine)
        self._pause(1, 4)
        self._house.thaw(engine)
        return f"freeze the {'API' if engine == API else 'Temporal server'}"

    def _failing(self) -> str:
        how, engine = self._random.choice(("fail", "hang", "lose")), self._random.choice(ENGINES)
        self._house.switches.turn_on(f"{how}-{engine}")
        self._pause(0.5, 3)
        self._house.switches.turn_off(f"{how}-{engine}")
        return f"{engine} {how}s"

    def _locked(self) -> str:
        self._house.stack.lock(lambda: self._pause(0.5, 3))
        return "lock the database"

    def _restarted(self) -> str:
        self._house.stack.restart_database()
        return "restart the database as after a power failure"

    def _full(self) -> str:
        self._disk.fill()
        self._pause(0.5, 2)
        self._disk.relieve()
        return "fill the disk"
