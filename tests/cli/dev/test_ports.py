"""Ports that are chosen for the embedded engines."""

import pytest

from cli.dev.ports import FREE_PORTS, PortRequest, allocate_ports
from tests.ports import free_ports

ANY = PortRequest("the API", "127.0.0.1", 0, "UNDERSIGN_API_PORT")


def test_any_free_port_is_one_that_no_connection_on_its_way_out_can_take() -> None:
    chosen = allocate_ports([ANY] * 20)
    assert len(set(chosen)) == 20
    assert set(chosen) <= set(FREE_PORTS)


def test_a_port_that_is_drawn_twice_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = free_ports(2)
    drawn = iter((one, one, other))
    monkeypatch.setattr("cli.dev.ports.secrets.choice", lambda _: next(drawn))

    assert allocate_ports([ANY, ANY]) == [one, other]
