"""What tokens are for: resource indicators (RFC 8707), and what each resource says of itself (RFC 9728).

The API and the assistant tools are one service under the same rules, so a token for either is good at both. Which one
was named stands in the token.
"""

from collections.abc import Sequence

API = "/api/v1"
TOOLS = "/mcp"


def audiences(base_url: str) -> tuple[str, str]:
    """The audiences that our tokens may have: the API first, which is what they are for if nobody says."""
    return f"{base_url}{API}", f"{base_url}{TOOLS}"


def choose_resource(base_url: str, named: Sequence[str]) -> str | None:
    """The resource among those `named` that a token is to be for; None if none is named.

    Raises:
        LookupError: there is no such resource, or several are named.
    """
    found = {address.rstrip("/") for address in named}
    ours = {base_url: f"{base_url}{API}", **{address: address for address in audiences(base_url)}}
    if not found:
        return None
    if len(found) > 1 or not found <= ours.keys():
        raise LookupError
    return ours[found.pop()]


def find_resource(base_url: str, named: Sequence[str]) -> str | None:
    """The same, and None also where there is no such resource."""
    try:
        return choose_resource(base_url, named)
    except LookupError:
        return None
