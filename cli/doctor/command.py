"""`undersign doctor`: everything that an installation depends on, tried once before people depend on it."""

import asyncio
import json
import logging
from collections.abc import Sequence

from adapters.telemetry.logs import configure_logs
from cli.dev.handle import as_it_runs
from cli.doctor import backend_checks, external_checks, local_checks, session_checks
from cli.doctor.checks import Finding, State, run_checks
from settings import Settings

_MARKS = {State.OK: "ok", State.NOTE: "note", State.FAILED: "FAILED", State.SKIPPED: "skipped"}


def examine(settings: Settings, send_to: str | None, *, as_json: bool) -> int:
    """Makes all checks and prints what they found; 1 if any failed, else 0."""
    configure_logs()
    logging.disable()  # what is wrong is told as a finding
    settings = as_it_runs(settings)
    checks = [
        *local_checks.checks(settings),
        *backend_checks.checks(settings),
        *session_checks.checks(settings),
        *external_checks.checks(settings, send_to),
    ]
    findings = asyncio.run(run_checks(checks))
    print(_as_json(findings) if as_json else "\n".join(line for one in findings for line in _lines(one)))
    return 1 if any(finding.state is State.FAILED for finding in findings) else 0


def _lines(finding: Finding) -> Sequence[str]:
    lines = [f"{_MARKS[finding.state]:<8}{finding.name:<11}{finding.told}"]
    return [*lines, f"{'':<19}{finding.advice}"] if finding.advice else lines


def _as_json(findings: Sequence[Finding]) -> str:
    rows = [{"name": one.name, "state": one.state.value, "message": one.told, "advice": one.advice} for one in findings]
    failed = any(finding.state is State.FAILED for finding in findings)
    return json.dumps({"ok": not failed, "findings": rows}, ensure_ascii=False)
