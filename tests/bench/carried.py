"""`make bench-carried`: what a session of two recipients leaves in PostgreSQL, the bucket and Temporal.

Each has a `callbackUrl`, whose receiver takes everything. Sizes are read when the runs have ended, those of tables with
their indexes after `VACUUM FULL`.
"""

import asyncio
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import sleep

from sqlalchemy import text
from temporalio.client import Client

from adapters.database.engine import make_engine
from tests.bench.steps import AT_ONCE, Load
from tests.chaos.house import House
from tests.chaos.people import CALM
from tests.chaos.stack import Operated
from tests.engines import Engines, real_engines
from workflows.policies import CLOSING_GRACE

SESSIONS = 20

TABLES = """
SELECT relname, n_tup_ins, n_tup_upd, pg_total_relation_size(relid) FROM pg_stat_user_tables ORDER BY relname
"""
LOG = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"
COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"

Row = tuple[int, int, int]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


@contextmanager
def receiver() -> Iterator[str]:
    """Its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


async def tables(database: str) -> tuple[Mapping[str, Row], int, int]:
    """Of each table rows that were added and changed, and bytes; bytes of the write-ahead log; transactions."""
    engine = make_engine(database)
    async with engine.connect() as connection:
        log, commits = [int((await connection.execute(text(q))).scalar_one()) for q in (LOG, COMMITS)]
    async with engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        await connection.execute(text("VACUUM FULL"))
        rows = {name: (added, changed, size) for name, added, changed, size in await connection.execute(text(TABLES))}
    await engine.dispose()
    return rows, log, commits


async def runs(address: str) -> Mapping[str, Row]:
    """Of each type of workflow the runs, their events and their bytes."""
    client = await Client.connect(address)
    found: defaultdict[str, Row] = defaultdict(lambda: (0, 0, 0))
    async for run in client.list_workflows():
        told = (await client.get_workflow_handle(run.id, run_id=run.run_id).describe()).raw_description
        number, events, size = found[run.workflow_type]
        info = told.workflow_execution_info
        found[run.workflow_type] = number + 1, events + info.history_length, size + info.history_size_bytes
    return found


def measure(house: House, engines: Engines, url: str) -> None:
    load = Load(house)
    load.asked = {"callbackUrl": url}
    before, log, commits = asyncio.run(tables(engines.database))
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(load.live, range(SESSIONS)))
    sleep(CLOSING_GRACE.total_seconds() + 15)
    after, log_after, commits_after = asyncio.run(tables(engines.database))
    print(f"| A session, of {SESSIONS} | number | changed, or events | KB |\n|---|---|---|---|")
    for name, now in after.items():
        if now[0] > before[name][0]:
            _line(f"table {name}", [a - b for a, b in zip(now, before[name], strict=True)])
    _line("transactions, write-ahead log", [commits_after - commits, 0, log_after - log])
    objects = list(engines.bucket.list_blobs())
    _line("objects", [len(objects), 0, sum(one.size for one in objects)])
    for name, row in asyncio.run(runs(house.temporal.address)).items():
        _line(f"runs {name}", row)


def _line(name: str, row: Row | list[int]) -> None:
    number, changed, size = (part / SESSIONS for part in row)
    print(f"| {name} | {number:.1f} | {changed:.1f} | {size / 1000:.1f} |", flush=True)


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="bench-carried-"))
    (folder / "engines").mkdir()
    with real_engines(folder / "engines", folder / "mails") as engines, receiver() as url:
        house = House(folder, Operated(engines))
        CALM.set()
        try:
            measure(house, engines, url)
        finally:
            house.close()


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)
