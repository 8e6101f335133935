"""Whether the client or the user from whom a credential comes may still act."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of an API client or a user.

    Every credential that they get (token, sign-in, link, approval, signing URL, batch) keeps the generation in which it
    was made. Whatever ends their credentials raises the generation, which never falls: so an old credential stays
    invalid when a user is enabled again. The generation of a connected app includes that of the user who approved it.
    `is_ended`: the client is revoked, the user is disabled or has not accepted the invitation, or the organisation is
    closed.
    """

    generation: int = 0
    is_ended: bool = False

    def honours(self, generation: int) -> bool:
        """Returns whether a credential of `generation` is valid now."""
        return not self.is_ended and generation == self.generation


IN_FORCE = Standing()
"""The standing of a client or a user whose credentials were never ended."""

ENDED = Standing(is_ended=True)
