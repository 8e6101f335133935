"""Response headers of every page: nothing is loaded from elsewhere, framed, cached, or told to other sites."""

from collections.abc import Mapping

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "img-src": "'self' data:",  # data: is the recipient's own drawing, shown again after a mistake in the form
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


def _written(policy: Mapping[str, str]) -> str:
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


def policy_with_form_target(origin: str) -> str:
    """The policy of a page whose form is answered by leading to `origin`: browsers hold redirects to it too."""
    return _written({**_POLICY, "form-action": f"{_POLICY['form-action']} {origin}"})


SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _written(_POLICY),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    "X-Robots-Tag": "noindex, nofollow",
}
