"""People of organisations: who gets in with an email address and a password."""

import asyncio
from functools import cache

from adapters.database.port import User, Users
from adapters.passwords import hash_password, is_outdated, is_password


async def find_person(users: Users, email: str, password: str) -> User | None:
    """Whoever has that address and that password, and is not disabled.

    None is answered after the same work whether there is no such person, the password is wrong, or they are disabled.
    What may be done with a temporary password is for the caller to see.
    """
    user = await users.find_by_email(email.strip().lower())
    kept = user.password_hash if user else await asyncio.to_thread(_nobodys_hash)
    matches = await asyncio.to_thread(is_password, password, kept)
    if user is None or not matches or user.disabled_at is not None:
        return None
    if is_outdated(kept):
        anew = await asyncio.to_thread(hash_password, password)
        await users.set_password(user.user_id, anew, is_temporary=user.password_is_temporary)
    return user


@cache
def _nobodys_hash() -> str:
    return hash_password("nobody has this password")
