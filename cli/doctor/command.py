"""`undersign doctor`: runs all checks and prints their results."""

import asyncio
import json
import logging
from collections.abc import Sequence

from adapters.telemetry.logs import configure_logs
from cli.dev.dev_info import with_running_service
from cli.doctor import backend_checks, external_checks, local_checks, session_checks
from cli.doctor.check import CheckResult, CheckState, run_checks
from settings import Settings

_MARKS = {CheckState.OK: "ok", CheckState.NOTE: "note", CheckState.FAILED: "FAILED", CheckState.SKIPPED: "skipped"}


def examine(settings: Settings, send_to: str | None, *, as_json: bool) -> int:
    """Runs all checks and prints their results; returns 1 if any failed, else 0."""
    configure_logs()
    logging.disable()  # errors are reported as results
    settings = with_running_service(settings)
    checks = [
        *local_checks.checks(settings),
        *backend_checks.checks(settings),
        *session_checks.checks(settings),
        *external_checks.checks(settings, send_to),
    ]
    results = asyncio.run(run_checks(checks))
    print(_as_json(results) if as_json else "\n".join(line for one in results for line in _lines(one)))
    return 1 if any(result.state is CheckState.FAILED for result in results) else 0


def _lines(result: CheckResult) -> Sequence[str]:
    lines = [f"{_MARKS[result.state]:<8}{result.name:<11}{result.message}"]
    return [*lines, f"{'':<19}{result.advice}"] if result.advice else lines


def _as_json(results: Sequence[CheckResult]) -> str:
    rows = [
        {"name": one.name, "state": one.state.value, "message": one.message, "advice": one.advice} for one in results
    ]
    failed = any(result.state is CheckState.FAILED for result in results)
    return json.dumps({"ok": not failed, "findings": rows}, ensure_ascii=False)
