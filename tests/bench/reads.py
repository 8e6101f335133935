"""`make bench-reads`: 50 clients at once read sessions and lists of a running service over HTTP, in turns with a route
that only asks a workflow (`bare_query`), on the same Temporal server. Writes `build/bench-reads.json` too.
"""

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

import httpx
from temporalio.client import Client

from api.cli.handle import Handle
from tests.api.service import session_request
from tests.bench.bare_query import QUEUE, Waiting
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.ports import free_port

RESULT = Path(__file__).parents[2] / "build" / "bench-reads.json"
CLIENTS = 50
SESSIONS = 50
UNLIMITED = {"UNDERSIGN_READS_PER_MINUTE": "1000000", "UNDERSIGN_WRITES_PER_MINUTE": "1000000"}
BARE = "a bare workflow query"

Address = Callable[[int], str]
Times = list[float]


@contextmanager
def program(*arguments: str) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-c", "from tests.bench import bare_query; bare_query.main()", *arguments]
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def batch(http: httpx.AsyncClient, address: Address, each: int) -> Times:
    """Milliseconds of every answer, when each client asks that often, one question after the other."""
    taken: Times = []

    async def ask(number: int) -> None:
        for turn in range(each):
            start = perf_counter()
            answer = await http.get(address(number + turn))
            taken.append((perf_counter() - start) * 1000)
            answer.raise_for_status()

    await asyncio.gather(*(ask(number) for number in range(CLIENTS)))
    return taken


async def prepare(handle: Handle) -> tuple[dict[str, str], list[str]]:
    """A header that lets in, and sessions that were sent."""
    async with httpx.AsyncClient(base_url=handle.api_url, timeout=60) as http:
        granted = await http.post(
            "/oidc/token", data={"grant_type": "client_credentials"}, auth=(handle.client_id, handle.client_secret)
        )
        header = {"Authorization": f"Bearer {granted.raise_for_status().json()['access_token']}"}
        made = []
        for number in range(SESSIONS):
            request = session_request(name=f"Agreement {number}", sendImmediately=True)
            answer = await http.post("/api/v1/Session", json=request, headers=header)
            made.append(answer.raise_for_status().json()["sessionId"])
    return header, made


async def measure(handle: Handle, bare: str, rounds: int, each: int) -> dict[str, dict[str, float]]:
    header, made = await prepare(handle)
    temporal = await Client.connect(handle.temporal_address)
    for number in range(SESSIONS):
        await temporal.start_workflow(Waiting.run, id=f"bare-{number}", task_queue=QUEUE)
    await asyncio.to_thread(_await, f"{bare}/bare/bare-0")  # its worker is ready
    targets: dict[str, Address] = {
        BARE: lambda number: f"{bare}/bare/bare-{number % SESSIONS}",
        "GET Session": lambda number: f"{handle.api_url}/api/v1/Session/{made[number % SESSIONS]}",
        "GET Sessions, 10 rows": lambda number: f"{handle.api_url}/api/v1/Sessions?limit=10&offset={number % 40}",
        "GET Sessions, 50 rows": lambda _: f"{handle.api_url}/api/v1/Sessions",
    }
    found: dict[str, list[Times]] = {name: [] for name in targets}
    limits = httpx.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    async with httpx.AsyncClient(headers=header, timeout=60, limits=limits) as http:
        for number in range(rounds + 1):
            names = list(targets) if number % 2 else list(reversed(targets))
            for name in names:
                times = await batch(http, targets[name], each)
                if number:  # the first round warms
                    found[name].append(times)
    return {name: facts(rounds_of_it, found[BARE]) for name, rounds_of_it in found.items()}


def facts(times: list[Times], bare: list[Times]) -> dict[str, float]:
    """Of all answers, and the medians of the ratios within each round."""
    every = [time for one in times for time in one]
    return {
        "answers": len(every),
        "p50, ms": round(median(every), 1),
        "p99, ms": round(p99(every), 1),
        "p50 ratio": round(median(median(one) / median(other) for one, other in zip(times, bare, strict=True)), 2),
        "p99 ratio": round(median(p99(one) / p99(other) for one, other in zip(times, bare, strict=True)), 2),
    }


def p99(times: Times) -> float:
    return quantiles(times, n=100)[98]


def _await(address: str) -> None:
    def answers() -> bool:
        try:
            return httpx.get(address, timeout=60).is_success
        except httpx.TransportError:
            return False

    eventually(answers, f"{address} answers", seconds=180)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench-reads", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--each", type=int, default=20, help="answers for each client in a round")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data", **UNLIMITED)
        handle = installation.start()
        port = free_port()
        try:
            with program("worker", handle.temporal_address), program("api", handle.temporal_address, str(port)):
                bare = f"http://127.0.0.1:{port}"
                _await(f"{bare}/docs")
                found = asyncio.run(measure(handle, bare, wanted.rounds, wanted.each))
        except httpx.HTTPError:
            print((installation.data_dir / "logs" / "api.log").read_text("utf-8")[-4_000:])
            raise
        finally:
            installation.stop()
    for name, line in found.items():
        print(f"{name:<26}" + "".join(f"{fact}: {value:>9}   " for fact, value in line.items()))
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
