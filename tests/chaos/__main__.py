"""`make chaos SEED=n SESSIONS=n`: kills, freezes, starves and fills while sessions are signed, then checks guarantees.

Ends with 1 if a guarantee was broken; the installation and its logs are kept then. RUNS=n runs as many seeds from SEED
on. STACK=engines uses PostgreSQL, a storage server, a mail server and encrypted payloads; `make scale-out` uses the
same with APIs and workers on three hosts, which are cut off in turns. STACK=workflows freezes and kills workers of
workflows while queries arrive that wait for QUERIES="0.3 3 10" seconds, or none (QUERIES=0): it shows that queries
break runs (docs/decisions/0012).
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from secrets import randbelow

from tests.chaos.frozen_workers import provoke
from tests.chaos.hosts import scale_out
from tests.chaos.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=randbelow(10_000), help="the same number repeats a run")
    parser.add_argument("--sessions", type=int, default=240)
    parser.add_argument("--runs", type=int, default=1)
    stacks = ("embedded", "engines", "hosts", "workflows")
    parser.add_argument("--stack", choices=stacks, default="embedded", help="the backends")
    waits = "seconds that queries wait, with the stack workflows; 0: no queries"
    parser.add_argument("--queries", type=float, nargs="+", default=[0.3, 3, 10], help=waits)
    args = parser.parse_args()
    if args.stack == "hosts" and (os.geteuid() != 0 or shutil.which("ip") is None):
        print("scale-out makes network namespaces, which takes root and the program `ip` (iproute2).", file=sys.stderr)
        return 2
    if args.stack == "workflows":
        return asyncio.run(_provoke_all(range(args.seed, args.seed + args.runs), args.sessions, args.queries))
    broken = False
    for seed in range(args.seed, args.seed + args.runs):
        folder = Path(tempfile.mkdtemp(prefix=f"chaos-{seed}-"))
        if args.stack == "hosts":
            report = scale_out(folder, seed, args.sessions)
        else:
            report = run(folder, seed, args.sessions, engines=args.stack)
        print("\n".join(report.lines()), flush=True)
        if report.findings:
            print(f"  logs: {folder / 'logs'}", flush=True)
            broken = True
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return int(broken)


async def _provoke_all(seeds: Sequence[int], sessions: int, timeouts: Sequence[float]) -> int:
    broken = False
    with tempfile.TemporaryDirectory(prefix="chaos-workflows-") as folder:
        async for outcome in provoke(Path(folder), seeds, sessions, [seconds for seconds in timeouts if seconds]):
            print("\n".join(outcome.lines()), flush=True)
            broken |= bool(outcome.findings)
    return int(broken)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
