"""The script with which other sites show signing pages."""

import re

from tests import ROOT
from tests.web.desk import Desk

STATIC = ROOT / "web" / "static"


async def test_the_script_and_its_types_have_addresses_that_never_change(desk: Desk) -> None:
    script, types = [await desk.browser().get(path) for path in ("/embed.js", "/embed.d.ts")]
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cross-origin-resource-policy"] == "cross-origin"
    assert script.content == (STATIC / "embed.js").read_bytes()
    assert "UndersignSigningElement" in types.text


def test_the_script_is_small_and_needs_nothing_else() -> None:
    script = (STATIC / "embed.js").read_text("utf-8")
    assert len(script.encode()) < 3_000
    assert "import" not in script
    assert "http" not in re.sub(r"https://sign\.example\.com", "", script)


def test_script_types_and_pages_know_the_same_acts() -> None:
    acts = re.findall(r'"(\w+)"', (STATIC / "embed.js").read_text("utf-8").partition("ACTS = [")[2].partition("]")[0])
    typed = (STATIC / "embed.d.ts").read_text("utf-8").partition("UndersignAct = ")[2].partition(";")[0]
    assert acts == re.findall(r'"(\w+)"', typed) == [
        "loaded", "signed", "approved", "declined", "delegated", "expired", "error",
    ]  # fmt: skip
