"""Free ports for servers that tests start."""

from api.cli.ports import PortWish, settle_ports


def free_ports(count: int) -> list[int]:
    """As many, no two the same, on this machine's own address."""
    return settle_ports([PortWish("a test", "127.0.0.1", 0, "")] * count)


def free_port() -> int:
    """One of them."""
    return free_ports(1)[0]
