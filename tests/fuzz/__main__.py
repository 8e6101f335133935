"""`make fuzz`: thousands of requests, made from the description, against a service of its own."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.end_to_end.installation import Installation
from tests.fuzz.run import Fuzz


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=25, help="for each operation; 25 make about 5,000 requests")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        installation = Installation(Path(folder) / "data")
        installation.start()
        try:
            done = Fuzz(asked.examples, seed=asked.seed).run(installation.dev_info, Path(folder) / "report")
        finally:
            installation.stop()
    sys.stdout.write(done.stdout + done.stderr)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
