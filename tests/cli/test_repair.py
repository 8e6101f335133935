"""What `undersign repair` prints, and how it ends."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from application.sessions import repair as comparing
from application.sessions.repair import Disagreement
from cli.errors import BackendUnavailable
from cli.repair import repair
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from ports.database import DatabaseUnavailable
from settings import Settings
from tests.builders import identifier

ONE, TWO, THREE = (SessionId(identifier(name)) for name in ("one", "two", "three"))


class Mended:
    """Counts how often it was called."""

    times = 0

    async def __call__(self) -> None:
        self.times += 1


class Found:
    """A comparison that finds what it was given, and then raises `failure`."""

    def __init__(self, *disagreements: Disagreement, failure: Exception | None = None) -> None:
        self._disagreements = disagreements
        self._failure = failure

    def __call__(self, *_collaborators: object) -> "Found":
        return self

    async def find(self) -> AsyncIterator[Disagreement]:
        for one in self._disagreements:
            yield one
        if self._failure:
            raise self._failure


async def repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Found, *, apply: bool) -> int:
    monkeypatch.setattr(comparing, "Comparison", found)
    return await repair(Settings(data_dir=tmp_path), apply=apply)


async def test_without_apply_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mend = Mended()
    found = Found(Disagreement(ONE, "It is behind.", "It is written.", mend=mend))

    left = await repaired(tmp_path, monkeypatch, found, apply=False)

    assert (left, mend.times) == (1, 0)
    assert "1 session to mend; nothing was changed." in capsys.readouterr().out


async def test_a_session_is_counted_once_and_one_that_cannot_be_mended_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mend = Mended()
    found = Found(
        Disagreement(ONE, "It is behind.", "It is written.", mend=mend),
        Disagreement(ONE, "Its run was stopped.", "It is started.", mend=mend),
        Disagreement(THREE, "Its run was stopped.", "It is started.", mend=mend),
        Disagreement(TWO, "It has two histories.", "The row stays as it is.", "The rest."),
    )

    left = await repaired(tmp_path, monkeypatch, found, apply=True)

    told = capsys.readouterr().out
    assert (left, mend.times) == (1, 3)
    assert f"session/{TWO}: It has two histories.\n  The row stays as it is.\n  Cannot be had again: The rest." in told
    assert "2 sessions mended. Not mended: 1 session; see above." in told


@pytest.mark.parametrize(
    ("failure", "told"), [(Unavailable(), "Temporal does not answer"), (DatabaseUnavailable(), "The database does not")]
)
async def test_an_engine_that_does_not_answer_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception, told: str
) -> None:
    with pytest.raises(BackendUnavailable, match=told):
        await repaired(tmp_path, monkeypatch, Found(failure=failure), apply=True)
