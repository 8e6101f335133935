"""The headers that say which page may frame a visit (`frame-ancestors`), and where its forms may lead."""

from collections.abc import Mapping

from domain.shared.origins import origin_of
from web.host_page import NO_HOST, HostPage
from web.security_headers import POLICY, SECURITY_HEADERS, serialise_policy


def headers_for(host: HostPage) -> Mapping[str, str]:
    """Returns the security headers of the pages of a visit that `host` opened; without one, no page may frame them."""
    if host == NO_HOST:
        return SECURITY_HEADERS
    policy, headers = dict(POLICY), dict(SECURITY_HEADERS)
    if host.return_url and (target := origin_of(host.return_url)):
        policy["form-action"] += f" {target}"  # browsers apply it to the redirect after a form too
    if host.origin is not None:
        policy["frame-ancestors"] = host.origin
        del headers["X-Frame-Options"]  # it knows no other origins
    return {**headers, "Content-Security-Policy": serialise_policy(policy)}
