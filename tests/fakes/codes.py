"""One-time codes in memory."""

from dataclasses import dataclass, field
from datetime import datetime

from adapters.database.code_port import CODES_A_WINDOW, GUESSES, LIFETIME, PAUSE, TRIES, WINDOW, CodeKey, CodeResult


@dataclass
class _Held:
    code_hash: str = ""
    tries_left: int = 0
    sent: list[datetime] = field(default_factory=list)
    guesses: int = 0


class MemoryEmailCodes:
    def __init__(self) -> None:
        self.held: dict[CodeKey, _Held] = {}

    async def issue(self, key: CodeKey, code_hash: str, at: datetime) -> bool:
        held = self.held.setdefault(key, _Held())
        if held.sent and held.sent[0] + WINDOW <= at:
            held.sent = []
        if held.sent and (held.sent[-1] + PAUSE > at or len(held.sent) >= CODES_A_WINDOW):
            return False
        if held.guesses >= GUESSES:
            return False
        held.code_hash, held.tries_left = code_hash, TRIES
        held.sent.append(at)
        return True

    async def withdraw(self, key: CodeKey) -> None:
        held = self.held[key]
        held.tries_left = 0
        held.sent.pop()

    async def enter(self, key: CodeKey, code_hash: str, at: datetime) -> CodeResult:
        held = self.held.get(key)
        if held is None or held.tries_left == 0 or held.guesses >= GUESSES or held.sent[-1] + LIFETIME <= at:
            return CodeResult.ENDED
        held.tries_left -= 1
        held.guesses += 1
        if held.code_hash == code_hash:
            held.tries_left = held.guesses = 0
            return CodeResult.RIGHT
        return CodeResult.WRONG if held.tries_left else CodeResult.ENDED
