"""`undersign doctor`: runs all checks and prints their results."""

import asyncio
import json
import logging
from collections.abc import Sequence
from functools import partial

from adapters.telemetry.logs import configure_logs
from application.checks import DEEP_SECONDS, Check, CheckResult, CheckState, run_check
from cli.data_directory import with_running_service
from cli.doctor.backend_checks import (
    check_connections,
    check_database,
    check_installation,
    check_storage,
    check_temporal,
    check_workers,
)
from cli.doctor.external_checks import (
    SYNCHRONISE,
    check_clock,
    check_mail,
    check_public_address,
    check_rate_limits,
    check_sign_in,
    check_timestamps,
)
from cli.doctor.local_checks import (
    check_canary,
    check_disk,
    check_fonts,
    check_keys,
    check_processes,
    check_seal,
    check_settings,
)
from cli.doctor.session_checks import check_runs, check_sessions
from config.settings import Settings
from domain.shared.error_redaction import error_type_name, safe_message

_MARKS = {CheckState.OK: "ok", CheckState.NOTE: "note", CheckState.FAILED: "FAILED", CheckState.SKIPPED: "skipped"}


def all_checks(settings: Settings, send_to: str | None = None) -> list[Check]:
    """Returns the checks in the order of their results. A test mail is sent to `send_to`, if given."""
    restore = "Restore keys/ in the data directory from a backup, readable by this user only."
    fonts = "Install the service again: its fonts are in packages that it depends on."
    canary = "Check memory, processes and disk space of this machine, and the checks of seal and fonts."
    connections = "Raise max_connections of PostgreSQL, or lower UNDERSIGN_DATABASE_CONNECTIONS."
    database = "Check that the database at UNDERSIGN_DATABASE_URL runs, and its user and password."
    public = "Check UNDERSIGN_PUBLIC_URL, its DNS entry, the certificate, and the proxy that passes requests on."
    redis = "Check UNDERSIGN_RATE_LIMIT_STORAGE, and that this machine can reach it."
    storage = "Check UNDERSIGN_OBJECT_STORE and its credentials, or the disk of the data directory."
    temporal = "Check that the Temporal server runs and can be reached."
    runs = "Start the version of the workers that ran before, and see docs/workflow-changes.md."
    sessions = "Run undersign repair: it checks all sessions, and repairs them with --apply."
    mail = "Check UNDERSIGN_SMTP_URL and UNDERSIGN_MAIL_FROM, and that this machine can reach the mail server."
    sign_in = "Check UNDERSIGN_SIGN_IN_ISSUER; until then users sign in by links. See docs/access.md."
    stamps = "Check UNDERSIGN_TIMESTAMP_URL and UNDERSIGN_TIMESTAMP_ROOTS; missing timestamps are added later."
    return [
        Check("settings", partial(check_settings, settings), "See docs/settings.md."),
        Check("keys", partial(check_keys, settings), restore),
        Check("seal", partial(check_seal, settings), "Check UNDERSIGN_SEAL_KEY and its related settings."),
        Check("fonts", check_fonts, fonts),
        Check("processes", check_processes, "See docs/security.md, Processes and backends."),
        Check("canary", partial(check_canary, settings), canary, needs=("seal",)),
        Check("disk", partial(check_disk, settings), "Make room on the file system of the data directory."),
        Check("database", partial(check_database, settings), database),
        Check("connections", partial(check_connections, settings), connections, needs=("database",)),
        Check("installation", partial(check_installation, settings), database, needs=("database",)),
        Check("public-address", partial(check_public_address, settings), public),
        Check("rate-limits", partial(check_rate_limits, settings), redis),
        Check("storage", partial(check_storage, settings), storage),
        Check("temporal", partial(check_temporal, settings), temporal),
        Check("workers", partial(check_workers, settings), temporal, needs=("temporal",)),
        Check("runs", partial(check_runs, settings), runs, needs=("temporal",)),
        Check(
            "sessions",
            partial(check_sessions, settings),
            sessions,
            needs=("database", "installation", "storage", "temporal"),
        ),
        Check("mail", partial(check_mail, settings, send_to), mail),
        Check("sign-in", partial(check_sign_in, settings), sign_in),
        Check("timestamps", partial(check_timestamps, settings), stamps),
        Check("clock", partial(check_clock, settings), SYNCHRONISE),
    ]


async def run_checks(checks: Sequence[Check]) -> tuple[CheckResult, ...]:
    """Runs all checks concurrently, those with `needs` after these; returns their results in order."""
    running: dict[str, asyncio.Task[CheckResult]] = {}

    async def run(check: Check) -> CheckResult:
        for name in running.keys() & {*check.needs}:
            if (await running[name]).state in {CheckState.FAILED, CheckState.SKIPPED}:
                return CheckResult(check.name, CheckState.SKIPPED, f"It needs {name}, which failed; see there.")
        return await run_check(check, DEEP_SECONDS, _describe)

    running.update({check.name: asyncio.create_task(run(check)) for check in checks})
    return tuple(await asyncio.gather(*running.values()))


def _describe(error: Exception) -> str:
    """Returns the error's own words; the name of its class only if it has none that are safe to print."""
    return safe_message(error).rstrip(".") or f"An unexpected error: {error_type_name(error)}"


def examine(settings: Settings, send_to: str | None, *, as_json: bool) -> int:
    """Runs all checks and prints their results; returns 1 if any failed, else 0."""
    configure_logs()
    logging.disable()  # errors are reported as results
    results = asyncio.run(run_checks(all_checks(with_running_service(settings), send_to)))
    has_failed = any(result.state is CheckState.FAILED for result in results)
    if as_json:
        rows = [
            {"name": one.name, "state": one.state.value, "message": one.message, "advice": one.advice}
            for one in results
        ]
        print(json.dumps({"ok": not has_failed, "findings": rows}, ensure_ascii=False))
        return int(has_failed)
    width = max(len(one.name) for one in results) + 2
    for one in results:
        print(f"{_MARKS[one.state]:<8}{one.name:<{width}}{one.message}")
        if one.advice:
            print(f"{'':<{8 + width}}{one.advice}")
    return int(has_failed)
