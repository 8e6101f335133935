"""The host page: the page of a program that opened the documents for a recipient.

It frames the visit (`web.security_headers`), or the browser returns to it at the end.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

from fastapi import Request


class HostPage(NamedTuple):
    """The host page of a visit. `origin` is the only origin that may frame the visit; None if none may.

    `return_url` is the address to which the browser returns at the end; None if the visit ends on the last page.
    """

    origin: str | None = None
    return_url: str | None = None

    def address_after(self, event: str) -> str | None:
        """Returns `return_url` with the parameter `event`; None without a `return_url`."""
        if self.return_url is None:
            return None
        return f"{self.return_url}{'&' if urlsplit(self.return_url).query else '?'}event={event}"

    def redirect_after(self, event: str) -> str | None:
        """Returns the address to redirect to after `event`; None in a frame, where a link leads to it."""
        return self.address_after(event) if self.origin is None else None


NO_HOST = HostPage()


def set_host(request: Request, host: HostPage) -> None:
    """Stores the host page of the visit in the request, for error pages too."""
    request.state.host = host


def host_of(request: Request) -> HostPage:
    """Returns the host page of the visit; `NO_HOST` if the recipient followed their link."""
    host: HostPage = getattr(request.state, "host", NO_HOST)
    return host
