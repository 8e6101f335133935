"""Schemathesis against a running service: requests made from its description, and answers held against it."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from cli.data_directory import DevInfo
from tests import http_requests
from tests.end_to_end.access import access_token

_CONFIG = Path(__file__).with_name("schemathesis.toml")
_PROGRAM = Path(sys.executable).with_name("schemathesis")


@dataclass(frozen=True, slots=True)
class Fuzz:
    """How long to go on: `examples` for each operation and scenario, of these `phases`."""

    examples: int
    phases: tuple[str, ...] = ("examples", "coverage", "fuzzing", "stateful")
    seed: int = 1

    def run(self, dev_info: DevInfo, report: Path) -> subprocess.CompletedProcess[str]:
        """Runs it to its end, in `report`, where its leftovers go; ended with 0 if nothing was found."""
        report.mkdir(parents=True, exist_ok=True)
        description = report / "openapi.json"  # fetched here, as Schemathesis would wait for 10 s only
        description.write_bytes(http_requests.get(f"{dev_info.api_url}/openapi.json").raise_for_status().content)
        return subprocess.run(
            [
                *(_PROGRAM, "--config-file", _CONFIG, "run", description),
                *("--url", dev_info.api_url, "--header", f"Authorization: Bearer {access_token(dev_info)}"),
                *("--max-examples", f"{self.examples}", "--phases", ",".join(self.phases), "--seed", f"{self.seed}"),
                *("--no-color", "--generation-database", "none"),
            ],
            cwd=report,
            capture_output=True,
            text=True,
            check=False,
        )
