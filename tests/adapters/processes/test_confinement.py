"""What child processes cannot do: a file that takes over a decoder finds no secrets, no way out, and no way back in."""

import asyncio
import os
import platform
import signal
import struct
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.processes import confinement, landlock, seccomp
from adapters.processes.confinement import NO_FILTER, NO_LANDLOCK, OLD_LANDLOCK, find_missing
from adapters.processes.pool import ForkServerPool
from cli.doctor.local_checks import check_processes
from domain.ports.process_pool import ProcessDied
from tests import ROOT
from tests.adapters.processes import escape_kit

SECRET = "postgresql://undersign:a-secret-for-the-test@database/undersign"

fully = pytest.mark.skipif(bool(find_missing()), reason="this machine lacks a means")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc is of Linux")


@pytest.fixture
async def pool(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ForkServerPool]:
    monkeypatch.setenv("UNDERSIGN_DATABASE_URL", SECRET)
    pool = ForkServerPool(2)
    yield pool
    await pool.close()


async def family(pool: ForkServerPool) -> tuple[int, int, int]:
    """The ids of the fork server and of both children."""
    first, second = await pool.run(os.getpid), await pool.run(os.getpid)
    return await pool.run(os.getppid), first, second


@fully
async def test_the_escape_kit_gets_nowhere(pool: ForkServerPool, tmp_path: Path) -> None:
    secrets = [tmp_path / name for name in ("keys/seal.key", "undersign.db", "objects/document.pdf", "settings.env")]
    for secret in secrets:
        secret.parent.mkdir(exist_ok=True)
        secret.write_text(SECRET)
    folders = (str(tmp_path), str(tmp_path / "keys"), str(ROOT), str(ROOT / ".undersign"))
    server, *children = await family(pool)
    processes = (os.getpid(), os.getppid(), 1, server)
    for _ in children:
        this = await pool.run(os.getpid)
        siblings = [child for child in children if child != this]
        targets = escape_kit.Targets((*processes, *siblings), tuple(map(str, secrets)), folders)
        for _ in siblings:
            await pool.run(abs, -1)
        assert await pool.run(escape_kit.escapes, targets) == ()
        for _ in siblings:
            await pool.run(abs, -1)
    assert all(secret.read_text() == SECRET for secret in secrets)


@fully
async def test_every_other_system_call_is_refused(pool: ForkServerPool) -> None:
    assert await pool.run(escape_kit.calls_that_are_not_refused) == ()


@fully
async def test_every_named_way_to_others_the_network_or_the_kernel_is_refused(pool: ForkServerPool) -> None:
    assert await pool.run(escape_kit.ways_out_that_are_open) == ()


@pytest.mark.skipif(platform.machine() != "x86_64" or not seccomp.can_filter(), reason="a call of 32-bit processors")
async def test_a_call_of_another_architecture_ends_the_process(pool: ForkServerPool) -> None:
    with pytest.raises(ProcessDied):
        await pool.run(escape_kit.other_architecture)
    assert await pool.run(abs, -1) == 1


@on_linux
async def test_the_fork_server_and_its_children_never_have_the_environment(pool: ForkServerPool) -> None:
    for process in await family(pool):
        assert SECRET.encode() not in Path(f"/proc/{process}/environ").read_bytes()
        assert await pool.run(os.getenv, "UNDERSIGN_DATABASE_URL") is None
    assert os.environ["UNDERSIGN_DATABASE_URL"] == SECRET


@on_linux
async def test_they_have_no_capabilities_no_new_rights_and_no_other_descriptors(pool: ForkServerPool) -> None:
    server, *children = await family(pool)
    for process in (server, *children):
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
        assert {int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
        assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    for child in children:
        shown = {path.name: str(path.readlink()) for path in Path(f"/proc/{child}/fd").iterdir()}
        assert [shown[name] for name in "012"] == [os.devnull] * 3
        assert {shown[name].partition(":")[0] for name in shown.keys() - set("012")} == {"pipe"}
        assert len(shown) == 5


INSPECT = """
import os, sys
from adapters.processes.confinement import _drop_capabilities
_drop_capabilities()
for name in ("mem", "environ", "maps"):
    try:
        open(f"/proc/{sys.argv[1]}/{name}", "rb").read(1)
        print(name)
    except PermissionError:
        pass
"""


@on_linux
async def test_a_parent_cannot_be_inspected_even_without_landlock_and_filter(pool: ForkServerPool) -> None:
    await pool.run(abs, -1)
    command = [sys.executable, "-c", INSPECT, str(os.getpid())]
    shown = await asyncio.to_thread(
        subprocess.run, command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert shown.stdout == ""


async def test_a_result_runs_no_code_in_the_parent(pool: ForkServerPool, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    with pytest.raises(escape_kit.Hostile):
        await pool.run(escape_kit.fail_with, str(marker))
    for content in (escape_kit.pickled(str(marker)), b"{}", b'{"value": {"object": ["os", "system", ["true"]]}}'):
        for frame in (
            struct.pack("!QQ", len(content) + 8, len(content)) + content,
            content,
            struct.pack("!Q", 1 << 60),
        ):
            with pytest.raises(ProcessDied):
                await pool.run(escape_kit.write_to_parent, frame)
    assert not marker.exists()
    assert await pool.run(abs, -1) == 1


async def test_a_child_that_survives_its_pipe_is_killed(pool: ForkServerPool) -> None:
    _, *before = await family(pool)
    with pytest.raises(ProcessDied):
        await pool.run(escape_kit.close_pipe_and_stay)
    (killed,) = set(before) - {await pool.run(os.getpid) for _ in range(2)}
    with pytest.raises(ProcessLookupError):
        os.kill(killed, signal.SIGKILL)


async def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "can_filter", lambda: False)
    monkeypatch.setattr(landlock, "landlock_version", lambda: 0)
    assert confinement.find_missing() == (NO_FILTER, NO_LANDLOCK)
    monkeypatch.setattr(landlock, "landlock_version", lambda: 3)
    passed = await check_processes()
    assert (passed.message, passed.note) == ("Child processes are confined in part.", f"{NO_FILTER} {OLD_LANDLOCK}")
