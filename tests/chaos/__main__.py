"""`make chaos SEED=n SESSIONS=n`: kills, freezes, starves and fills while sessions are signed, and looks afterwards.

Ends with 1 when a promise was broken; the installation is kept then, with all its logs. RUNS=n runs as many seeds from
SEED on, one after another. STACK=engines has PostgreSQL, a storage server, a mail server and encrypted payloads.
"""

import argparse
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path
from secrets import randbelow

from tests.chaos.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=randbelow(10_000), help="any number; the same one does the same")
    parser.add_argument("--sessions", type=int, default=240)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--stack", choices=("embedded", "engines"), default="embedded", help="what it works on")
    parser.add_argument("--verbose", action="store_true", help="say each session as it ends")
    args = parser.parse_args()
    logging.basicConfig(format="%(asctime)s %(message)s")
    logging.getLogger("tests.chaos").setLevel(logging.DEBUG if args.verbose else logging.WARNING)
    broken = False
    for seed in range(args.seed, args.seed + args.runs):
        folder = Path(tempfile.mkdtemp(prefix=f"chaos-{seed}-"))
        report = run(folder, seed, args.sessions, engines=args.stack)
        print("\n".join(report.lines()), flush=True)
        if report.findings:
            print(f"  logs: {folder / 'logs'}", flush=True)
            broken = True
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return int(broken)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
