"""Resources of tokens: resource indicators (RFC 8707) and the paths of protected resources (RFC 9728).

The API and the MCP tools are one service with the same rules, so both accept a token for either. The token names the
requested resource as its audience.
"""

from collections.abc import Sequence

API = "/api/v1"
TOOLS = "/mcp"


def audiences(base_url: str) -> tuple[str, str]:
    """Returns the audiences of tokens: the API, which is the default, and the MCP tools."""
    return f"{base_url}{API}", f"{base_url}{TOOLS}"


def choose_resource(base_url: str, named: Sequence[str]) -> str | None:
    """Returns the resource that a token is for; None if `named` is empty.

    Raises:
        LookupError: the resource does not exist, or several are named.
    """
    found = {address.rstrip("/") for address in named}
    ours = {base_url: f"{base_url}{API}", **{address: address for address in audiences(base_url)}}
    if not found:
        return None
    if len(found) > 1 or not found <= ours.keys():
        raise LookupError
    return ours[found.pop()]


def find_resource(base_url: str, named: Sequence[str]) -> str | None:
    """Returns the resource in `named`; None if there is none, an unknown one or several."""
    try:
        return choose_resource(base_url, named)
    except LookupError:
        return None
