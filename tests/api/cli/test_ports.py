"""Ports that are chosen for the embedded engines."""

from api.cli.ports import QUIET, PortWish, settle_ports


def test_any_free_port_is_one_that_no_connection_on_its_way_out_can_take() -> None:
    chosen = settle_ports([PortWish("the API", "127.0.0.1", 0, "UNDERSIGN_API_PORT")] * 20)

    assert len(set(chosen)) == 20
    assert set(chosen) <= set(QUIET)
