"""Security headers of every page: no foreign content, framing, caching or referrers."""

from collections.abc import Mapping

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self' data:",  # data: is the recipient's own drawing, shown again after a mistake in the form
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


def _serialise(policy: Mapping[str, str]) -> str:
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


def policy_with_form_target(origin: str) -> str:
    """Returns the policy of a page whose form redirects to `origin`: browsers apply `form-action` to redirects too."""
    return _serialise({**_POLICY, "form-action": f"{_POLICY['form-action']} {origin}"})


SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _serialise(_POLICY),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    "X-Robots-Tag": "noindex, nofollow",
}
