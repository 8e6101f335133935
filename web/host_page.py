"""The page of a program that opened the documents for a recipient: it may frame the visit, or is returned to."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from fastapi import Request

from domain.shared.origins import origin_of
from web.html_response import POLICY, SECURITY_HEADERS, serialise_policy


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

    @property
    def headers(self) -> Mapping[str, str]:
        """The security headers of the visit's pages."""
        if self == NO_HOST:
            return SECURITY_HEADERS
        policy, headers = dict(POLICY), dict(SECURITY_HEADERS)
        if self.return_url and (target := origin_of(self.return_url)):
            policy["form-action"] += f" {target}"  # browsers apply it to the redirect after a form too
        if self.origin is not None:
            policy["frame-ancestors"] = self.origin
            del headers["X-Frame-Options"]  # it knows no other origins
        return {**headers, "Content-Security-Policy": serialise_policy(policy)}


NO_HOST = HostPage()


def set_host(request: Request, host: HostPage) -> None:
    """Sets the page that opened the visit of this request, also for the pages of its errors."""
    request.state.host = host


def host_of(request: Request) -> HostPage:
    """Returns the page that opened the visit; `NO_HOST` if the recipient followed their link."""
    host: HostPage = getattr(request.state, "host", NO_HOST)
    return host
