"""What a worker measures once a minute."""

from datetime import UTC, datetime
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from structlog.testing import capture_logs

from activities.observe_installation import MAX_NAMED, InstallationObserver
from adapters.telemetry.metrics import WorkerMetrics

END = datetime(2030, 1, 1, tzinfo=UTC)


async def test_failing_runs_are_named_while_they_fail_and_logged_once(tmp_path: Path) -> None:
    registry, failing = CollectorRegistry(), ["session/1"]

    async def find(limit: int) -> list[str]:
        assert limit == MAX_NAMED
        return [*failing]

    observer = InstallationObserver(WorkerMetrics(registry), find, lambda: END, tmp_path)
    with capture_logs() as logs:
        await observer.observe()
        await observer.observe()
    shown = generate_latest(registry).decode()
    assert 'undersign_run_failing{workflow="session/1"} 1.0' in shown
    assert [entry["workflow_id"] for entry in logs] == ["session/1"]
    assert registry.get_sample_value("undersign_seal_certificate_end_timestamp_seconds") == END.timestamp()
    assert (registry.get_sample_value("undersign_storage_free_bytes") or 0) > 0

    failing.clear()
    await observer.observe()
    assert "undersign_run_failing{" not in generate_latest(registry).decode()
