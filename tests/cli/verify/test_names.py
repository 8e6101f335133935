"""Names of files are printed so that none can pass for a verdict."""

from pathlib import Path

from cli.verify.command import ExitCode
from tests.cli.commands import undersign
from tests.cli.verify.trusted_seals import SEALS_PEM

NAMES = (
    "a\nGenuine: it was sealed.pdf",
    "a\x1b[2Jb.pdf",
    "a\N{RIGHT-TO-LEFT OVERRIDE}fdp.b",
    "a\u2028Genuine.pdf",
    "a\x85b.pdf",
)


def test_no_name_breaks_a_line_or_writes_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "seals.pem").write_bytes(SEALS_PEM)
    for name in NAMES:
        (tmp_path / name).write_bytes(b"no PDF")
    paths = [str(tmp_path / name) for name in (*NAMES, "missing\nGenuine")]

    read = undersign(tmp_path, "verify", "--trust", str(tmp_path / "seals.pem"), *paths[:-1])
    missing = undersign(tmp_path, "verify", "--trust", str(tmp_path / "seals.pem"), paths[-1])

    assert read.code == missing.code == ExitCode.NOT_READABLE
    for answer in (read.out, missing.err):
        assert answer.replace("\n", "").isprintable()
        assert not any(line.startswith("Genuine") for line in answer.splitlines())
