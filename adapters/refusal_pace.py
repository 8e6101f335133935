"""The pace of refusals: a caller that repeats refused calls does not take the time of others."""

STEP = 0.02
"""Seconds between two refusals of one caller."""

MAX_DELAY = 5.0
"""Seconds that a refusal waits at most."""

_MANY = 1_000


class RefusalPace:
    """Spaces the refusals of each caller by `STEP`, while it has fewer connections than fit into `MAX_DELAY`."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}
        """By caller, the time from which its next refusal may be sent."""

    def delay(self, caller: str, now: float) -> float:
        """Returns the seconds that a refusal of `caller` waits; `now` is in seconds of any steady clock."""
        if len(self._next) > _MANY:
            self._next = {key: at for key, at in self._next.items() if at > now}
        delay = min(max(self._next.get(caller, now) - now, 0), MAX_DELAY)
        self._next[caller] = now + delay + STEP
        return delay
