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

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(f"{directive} {sources}" for directive, sources in _POLICY.items()),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
    "X-Robots-Tag": "noindex, nofollow",
}
