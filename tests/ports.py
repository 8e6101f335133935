"""Free ports for servers that tests start."""

from api.cli.ports import PortWish, settle_ports


def free_ports(count: int, host: str = "127.0.0.1") -> list[int]:
    """As many, no two the same."""
    return settle_ports([PortWish("a test", host, 0, "")] * count)


def free_port(host: str = "127.0.0.1") -> int:
    """One of them, or of another address of this machine."""
    return free_ports(1, host)[0]
