"""Reads the mails that a service writes into a directory."""

from collections import defaultdict
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from threading import Lock
from time import monotonic


@dataclass(frozen=True, slots=True, order=True)
class SentMail:
    """A mail: its Message-ID without brackets, its addresses, `Reply-To` and its plain text."""

    message_id: str
    addresses: tuple[str, ...]
    reply_to: str
    text: str

    @property
    def link(self) -> str:
        """The signing link in the text; empty if there is none."""
        return next((word for word in self.text.split() if "/sign/" in word), "")


class Outbox:
    """Reads each mail once for all threads. The directory is listed at most every `interval` seconds."""

    def __init__(self, folder: Path, interval: float = 0.0) -> None:
        self._folder = folder
        self._interval = interval
        self._mails: dict[str, SentMail] = {}
        self._by_address: defaultdict[str, list[SentMail]] = defaultdict(list)
        self._by_cause: defaultdict[str, list[SentMail]] = defaultdict(list)
        self._next_read = 0.0
        self._lock = Lock()

    def mails(self) -> list[SentMail]:
        self._read()
        return list(self._mails.values())

    def to(self, address: str) -> list[SentMail]:
        """Returns the mails to an address, oldest first."""
        self._read()
        return list(self._by_address[address])

    def invitation(self, session_id: str, recipient_id: str, address: str) -> str | None:
        """Returns the link of a recipient's latest invitation to an address; None if there is none yet."""
        self._read()
        invitations = self._by_cause[f"invitation.{session_id}.{recipient_id}"]
        mails = [mail for mail in invitations if address in mail.addresses]
        return max(mails).link if mails else None

    def _read(self) -> None:
        with self._lock:
            if monotonic() < self._next_read:
                return
            for path in sorted(self._folder.glob("*.eml"), key=lambda path: path.name):
                if path.name not in self._mails:
                    self._mails[path.name] = mail = _read_mail(path)
                    self._by_cause[mail.message_id.partition("@")[0].rpartition(".")[0]].append(mail)
                    for address in mail.addresses:
                        self._by_address[address].append(mail)
            self._next_read = monotonic() + self._interval


def _read_mail(path: Path) -> SentMail:
    message = message_from_bytes(path.read_bytes(), policy=default)
    body = message.get_body(("plain",))
    return SentMail(
        message_id=str(message["Message-ID"]).strip("<>"),
        addresses=tuple(to.addr_spec for to in message["To"].addresses),
        reply_to=str(message["Reply-To"] or ""),
        text=str(body.get_content()) if body else "",
    )
