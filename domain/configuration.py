"""What is wrong with an installation before it has begun."""


class Misconfigured(Exception):
    """A process cannot start as it is configured. The message is one line: what is wrong, and what to do."""
