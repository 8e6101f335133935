"""The page of a program that opened the documents for a recipient: it may frame the visit, or is returned to.

`web.security_headers` has the headers that let it.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

from fastapi import Request


class HostPage(NamedTuple):
    """The page of one visit. `origin` is the only one that may frame it; None: none may.

    `return_url` is where the browser goes at the end; None: nowhere.
    """

    origin: str | None = None
    return_url: str | None = None

    def address_after(self, event: str) -> str | None:
        """Returns the address to return to with `event`."""
        if self.return_url is None:
            return None
        return f"{self.return_url}{'&' if urlsplit(self.return_url).query else '?'}event={event}"

    def redirect_after(self, event: str) -> str | None:
        """Returns the address to which the browser is redirected after `event`; in a frame, a link leads there."""
        return self.address_after(event) if self.origin is None else None


NO_HOST = HostPage()


def set_host(request: Request, host: HostPage) -> None:
    """Sets the page that opened the visit of this request, also for the pages of its errors."""
    request.state.host = host


def host_of(request: Request) -> HostPage:
    """Returns the page that opened the visit; `NO_HOST` if the recipient followed their link."""
    host: HostPage = getattr(request.state, "host", NO_HOST)
    return host
