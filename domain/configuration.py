"""What is wrong with an installation before it has begun."""


class Misconfigured(Exception):
    """A process cannot start as it is configured. Each line says what is wrong, and what to do."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
