"""Names of browsers."""

import pytest

from domain.texts.browser_names import browser_name

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, ("Firefox", "Windows")),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1", ("Safari", "iPhone")),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0 Safari/537.36 Edg/130.0", ("Edge", "Linux")),
        ("curl/8", ("", "")),
        (None, ("", "")),
    ],
)  # fmt: skip
def test_browsers_are_named_shortly(agent: str | None, name: tuple[str, str]) -> None:
    assert browser_name(agent) == name
