"""The security headers of every page, and the content security policies of pages that need other ones."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from fastapi import Request

from domain.shared.check_origins import origin_of


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


POLICY: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self' data:",  # data: a drawing, shown again after a mistake in the form, and pages of previews
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


def serialise_policy(policy: Mapping[str, str]) -> str:
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


def policy_with_form_target(origin: str) -> str:
    """Returns the policy of a page whose form redirects to `origin`: browsers apply `form-action` to redirects too."""
    return serialise_policy({**POLICY, "form-action": f"{POLICY['form-action']} {origin}"})


POLICY_WITH_FRAME = serialise_policy({**POLICY, "frame-src": "'self'"})
"""The policy of a page that shows an email in a frame."""

EMAIL_POLICY = serialise_policy(
    {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
        "sandbox": "allow-top-navigation-by-user-activation",
    }
)
"""The policy of an email in that frame: it runs and loads nothing, and its links open in the whole window."""

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": serialise_policy(POLICY),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    "X-Robots-Tag": "noindex, nofollow",
}


def headers_for(host: HostPage) -> Mapping[str, str]:
    """Returns the security headers of the pages of a visit. With `NO_HOST`, no page may frame them."""
    if host == NO_HOST:
        return SECURITY_HEADERS
    policy, headers = dict(POLICY), dict(SECURITY_HEADERS)
    if host.return_url and (target := origin_of(host.return_url)):
        policy["form-action"] += f" {target}"  # browsers apply it to the redirect after a form too
    if host.origin is not None:
        policy["frame-ancestors"] = host.origin
        del headers["X-Frame-Options"]  # it cannot name an origin
    return {**headers, "Content-Security-Policy": serialise_policy(policy)}
