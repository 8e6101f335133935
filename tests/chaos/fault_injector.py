"""What goes wrong while sessions are signed: a thread that one seed drives."""

from abc import ABC, abstractmethod
from collections import Counter
from random import Random
from threading import Event, Thread
from time import monotonic

from tests.chaos.cluster import Cluster
from tests.chaos.users import FAULTS_OVER


class FaultInjector(Thread, ABC):
    """Goes on until it is told to stop. `done` counts by kind, `spans` says when, `failure` is why it ended early."""

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
        """One thing after another, until `pause` says that it is enough."""

    @abstractmethod
    def relieve(self) -> None:
        """Ends whatever is still wrong."""

    def run(self) -> None:
        try:
            self.bring()
        except Exception as failure:  # noqa: BLE001  # whatever it was, the report says it
            self.failure = failure
        finally:
            self.relieve()
            FAULTS_OVER.set()

    def stop(self) -> None:
        """Returns when everything works again."""
        self._enough.set()
        self.join()
        self.cluster.await_ready()

    def pause(self, least: float, most: float) -> bool:
        """Waits between so many seconds; whether it was cut short, since it is enough."""
        return self._enough.wait(self.random.uniform(least, most))

    def note(self, name: str, began: float) -> None:
        self.spans.append((began, monotonic()))
        self.done[name] += 1
