"""What is handed out of a finished session, and to whom: its signed documents and its certificate (contract 10)."""

from collections.abc import Sequence

from domain.events import Actor

CERTIFICATE = "certificate"
"""The certificate of completion among the copies that are wanted; documents go by their file ids."""


def held_by(actor: Actor, wanted: str) -> str:
    """What a session remembers when `actor` has got the copy that is `wanted`."""
    return f"{actor.kind.value} {actor.id} {wanted}"


def still_to_record(handed_out: Sequence[str], actor: Actor, wanted: Sequence[str]) -> tuple[str, ...]:
    """Which of the copies `actor` gets for the first time."""
    return tuple(copy for copy in dict.fromkeys(wanted) if held_by(actor, copy) not in handed_out)
