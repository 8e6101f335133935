"""The memory of the service while it receives hostile uploads: the service on fakes, with a real quarantine process.

`python -m tests.application.uploads.test_memory FOLDER` sends the files in `FOLDER` and prints the responses with
durations and the peak memory, at the end as JSON. `... write FOLDER` writes the files.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from adapters.processes.job_limits import UNTRUSTED_FILES
from adapters.processes.pool import ForkServerPool
from api.app import create_app
from api.composition import MODULES
from tests import ROOT
from tests.api.service import Service
from tests.application.uploads import hostile_images as images
from tests.application.uploads import pdfs
from tests.foreign_pdfs import hostile_samples as hostile_to_sealing
from tests.layout.pictures import encoded, shades

MILLIONS = 1_200

MOST_GROWTH = 120
"""Megabytes between two small files and the last hostile one; a body of 7 MB takes some 30 on its way in."""


class Case(NamedTuple):
    """A file, where it is sent, and how it has to be answered."""

    name: str
    path: str
    status: int
    make: Callable[[], bytes]


CASES = (
    Case("a small picture", "Image", 200, lambda: encoded(shades(64, 64))),
    Case("a PDF of 3 pages", "File", 200, lambda: pdfs.of_pages(3)),
    Case("PNG of 50,000 x 50,000 pixels", "Image", 400, lambda: images.png_of_zeros(50_000, 50_000, rows=3_000)),
    Case("GIF of 65,535 x 65,535 pixels", "Image", 400, lambda: images.gif_of(65_535, 65_535)),
    Case("WebP of 16,000 x 16,000 pixels", "Image", 400, lambda: images.webp_of(b"VP8 ", 16_000, 16_000)),
    Case("PNG with a text of 100 MB", "Image", 400, lambda: _with_text(100_000_000)),
    Case("PNG of 8,000 x 5,000 pixels, which is taken", "Image", 200, lambda: images.png_of_zeros(8_000, 5_000)),
    Case("PDF with a stream of 1.2 GB", "File", 400, lambda: pdfs.inflating(MILLIONS)),
    Case("PDF with a stream of 1.2 GB, deflated twice", "File", 400, lambda: pdfs.inflating(MILLIONS, twice=True)),
    Case("PDF whose objects stand in 1.2 GB", "File", 400, lambda: pdfs.with_object_stream(MILLIONS)),
    Case("PDF that lists a page a million times", "File", 400, lambda: pdfs.of_one_page_listed(1_000_000)),
    Case("PDF with a page tree of 50,000 levels", "File", 400, lambda: pdfs.of_levels(50_000)),
    Case("PDF whose form lists a field 300,000 times", "File", 400, lambda: hostile_to_sealing.of_one_field(300_000)),
    Case("PDF of 999 revisions, which is taken", "File", 200, lambda: hostile_to_sealing.of_revisions(999)),
    Case("PDF with a million brackets", "File", 400, lambda: pdfs.with_object(b"[" * 500_000 + b"]" * 500_000)),
)


def _with_text(size: int) -> bytes:
    return images.png_with(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(size)))


def _peak() -> int:
    """The most memory that this process has had, in megabytes."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 // 1024


async def main(folder: Path) -> list[dict[str, object]]:
    """Sends the files that stand in `folder`, in the order of the cases."""
    service = Service()
    await service.seed()
    quarantine = ForkServerPool(1, limits=UNTRUSTED_FILES, warm_modules=MODULES)
    await quarantine.run(os.getpid)  # it has loaded what it needs
    app = create_app(service.services(quarantine=quarantine))
    found = []
    async with service.http(app=app) as http:
        for case, content in _contents(folder):
            started = time.monotonic()
            answer = await _send(http, case, content)
            seconds = time.monotonic() - started
            print(f"{answer.status_code} {seconds:5.1f} s {_peak():5d} MB  {len(content):>9,} bytes  {case.name}")
            found.append({"name": case.name, "status": answer.status_code, "wanted": case.status, "peak": _peak()})
    await quarantine.close()
    await service.database.engine.dispose()  # its connection has a thread, which would keep this process
    return found


async def _send(http: httpx.AsyncClient, case: Case, content: bytes) -> httpx.Response:
    body = {"fileName": "a file", "data": b64encode(content).decode()}
    return await http.post(f"/api/v1/{case.path}", json=body)


def _contents(folder: Path) -> Iterator[tuple[Case, bytes]]:
    for number, case in enumerate(CASES):
        yield case, (folder / str(number)).read_bytes()


def write(folder: Path) -> None:
    """Writes the files of all cases: making them takes memory that answering them does not."""
    for number, case in enumerate(CASES):
        (folder / str(number)).write_bytes(case.make())


@pytest.mark.exhaustive
def test_the_memory_of_the_service_stays_flat_while_hostile_files_come(tmp_path: Path) -> None:
    write(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "tests.application.uploads.test_memory", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = json.loads(done.stdout.splitlines()[-1])
    assert [answer["status"] for answer in answers] == [answer["wanted"] for answer in answers], done.stdout
    assert answers[-1]["peak"] - answers[1]["peak"] < MOST_GROWTH, done.stdout


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        write(Path(sys.argv[2]))
    else:
        print(json.dumps(asyncio.run(main(Path(sys.argv[1])))))
