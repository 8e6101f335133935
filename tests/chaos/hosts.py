"""APIs and workers on three hosts, which are cut off from everything in turns.

Network namespaces stand in for hosts. Backends, clients and recipients are outside.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tests.backends import OperatorBackends, start_backends
from tests.chaos.balancer import Balancer
from tests.chaos.cluster import PYTHON, TEMPORAL, Cluster
from tests.chaos.faults import FaultInjector
from tests.chaos.run import Report, run_sessions

OUTSIDE = "10.231.97.1"
"""The address of everything outside the hosts."""

APIS, WORKERS_OF = 3, (2, 1, 1)
"""APIs, one on each host, and workers on each."""

PORT = 8080

CLIENTS = 24
"""Clients at the same time: as many as one machine with all hosts still answers."""


@dataclass(frozen=True, slots=True)
class Host:
    """A network namespace, wired to the bridge that all hosts share."""

    number: int

    @property
    def name(self) -> str:
        return f"undersign-{self.number}"

    @property
    def wire(self) -> str:
        return f"us-wire-{self.number}"

    @property
    def address(self) -> str:
        return f"10.231.97.{10 + self.number}"

    def build(self) -> None:
        inside = f"us-in-{self.number}"
        _ip("netns", "add", self.name)
        _ip("link", "add", self.wire, "type", "veth", "peer", "name", inside)
        _ip("link", "set", inside, "netns", self.name)
        _ip("link", "set", self.wire, "master", "us-bridge", "up")
        for command in (
            ("addr", "add", f"{self.address}/24", "dev", inside),
            ("link", "set", inside, "up"),
            ("link", "set", "lo", "up"),
        ):
            _ip("-n", self.name, *command)

    def cut_off(self) -> None:
        """Drops all packets in both directions."""
        _ip("link", "set", self.wire, "down")

    def connect(self) -> None:
        _ip("link", "set", self.wire, "up")


@contextmanager
def network(count: int) -> Iterator[tuple[Host, ...]]:
    """Opens `count` hosts for the duration of the context."""
    hosts = tuple(Host(number) for number in range(1, count + 1))
    try:
        _ip("link", "add", "us-bridge", "type", "bridge")
        _ip("addr", "add", f"{OUTSIDE}/24", "dev", "us-bridge")
        _ip("link", "set", "us-bridge", "up")
        for host in hosts:
            host.build()
        yield hosts
    finally:
        for host in hosts:
            for command in (("link", "delete", host.wire), ("netns", "delete", host.name)):
                with suppress(subprocess.CalledProcessError):
                    _ip(*command)
        with suppress(subprocess.CalledProcessError):
            _ip("link", "delete", "us-bridge")


class MultiHostCluster(Cluster):
    """A cluster whose APIs and workers are on hosts; `url` is the balancer in front of the APIs."""

    def __init__(self, folder: Path, backends: OperatorBackends, hosts: tuple[Host, ...], balancer: Balancer) -> None:
        super().__init__(folder, backends, host=OUTSIDE)
        self.hosts = hosts
        self.url = balancer.url
        self._environment |= {
            "UNDERSIGN_PUBLIC_URL": self.url,
            "UNDERSIGN_ENVIRONMENT": "development",
            "UNDERSIGN_API_HOST": "0.0.0.0",  # noqa: S104  # of its namespace
            "UNDERSIGN_API_PORT": str(PORT),
        }
        # The parts of the embedded Temporal server find each other on the loopback only.
        anywhere = tuple("0.0.0.0" if word == OUTSIDE else word for word in self._commands[TEMPORAL])  # noqa: S104
        self._commands = {TEMPORAL: anywhere}
        for host, workers in zip(hosts, WORKERS_OF, strict=True):
            on_it = ("ip", "netns", "exec", host.name, *PYTHON)
            self._commands[f"api-{host.number}"] = (*on_it, "api")
            for number in range(1, workers + 1):
                self._commands[f"worker-{host.number}-{number}"] = (*on_it, "tests.chaos.worker")
        self.everything = tuple(self._commands)


class Cuts(FaultInjector):
    """Cuts off one host at a time."""

    def __init__(self, cluster: MultiHostCluster, seed: int) -> None:
        super().__init__(cluster, seed)
        self._hosts = cluster.hosts

    def bring(self) -> None:
        while not self.pause(5, 10):
            host, began = self.random.choice(self._hosts), monotonic()
            host.cut_off()
            self.pause(8, 20)
            host.connect()
            self.note(f"cut off host {host.number}", began)
            self.cluster.start(*self.cluster.everything)  # processes that ended are started again

    def relieve(self) -> None:
        for host in self._hosts:
            host.connect()


def scale_out(folder: Path, seed: int, sessions: int) -> Report:
    """Runs `sessions` scenarios on three hosts, which are cut off one at a time."""
    with (
        network(APIS) as hosts,
        start_backends(folder / "engines", folder / "mails", host=OUTSIDE) as engines,
        Balancer(OUTSIDE, [(host.address, PORT) for host in hosts]) as balancer,
    ):
        cluster = MultiHostCluster(folder, engines, hosts, balancer)
        return run_sessions(
            cluster, Report(seed), sessions, lambda: Cuts(cluster, seed), clients=CLIENTS, receiver_host=OUTSIDE
        )


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
