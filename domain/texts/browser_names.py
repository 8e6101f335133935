"""Short names of browsers, from their User-Agent headers (RFC 9110 section 10.1.5)."""

from collections.abc import Mapping

_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""Names by a part of the header. The first that is found counts, since browsers claim to be others too."""

_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def browser_name(user_agent: str | None) -> tuple[str, str]:
    """Returns the names of the browser and its system, such as `("Firefox", "Windows")`; "" for an unknown one."""
    return _find(_BROWSERS, user_agent or ""), _find(_SYSTEMS, user_agent or "")


def _find(names: Mapping[str, str], user_agent: str) -> str:
    return next((name for part, name in names.items() if part in user_agent), "")
