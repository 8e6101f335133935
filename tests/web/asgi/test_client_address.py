"""The address of a client."""

import pytest

from domain.audit.events import Actor, ActorKind
from tests.web.asgi.peer import request_from
from web.asgi.client_address import audit_context_of, client_address


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:DB8:0:0::7", "2001:db8::7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unknown", None),
        ("192.0.2.7:8080", None),
        ("<b>me</b>", None),
        ("fe80::1%<b>me</b>", None),
        ("", None),
        (None, None),
    ],
)
def test_only_valid_addresses_are_recorded(host: str | None, address: str | None) -> None:
    request = request_from(host)

    assert (str(client_address(request)) if address else client_address(request)) == address
    assert audit_context_of(request, Actor(kind=ActorKind.SYSTEM, id="x")).ip == address
