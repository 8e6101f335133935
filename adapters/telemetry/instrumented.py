"""Effects that are counted and timed: each keeps the port of what it stands before."""

from collections.abc import Mapping

from adapters.telemetry.metrics import WorkerMetrics
from domain.callbacks.delivery import Attempt
from domain.seal.level import SealLevel
from domain.seal.statement import Statement
from ports.mail import Mail, Mailer, MailRejected
from ports.sealing import Prepared, Sealed, Sealer, Trusted
from ports.webhooks import Sender


class InstrumentedMailer:
    """Implements `Mailer`. A mail is done, failed (and tried again) or refused for good."""

    def __init__(self, mailer: Mailer, metrics: WorkerMetrics) -> None:
        self._mailer = mailer
        self._metrics = metrics

    async def send(self, mail: Mail) -> None:
        with self._metrics.effect("mail") as outcome:
            try:
                await self._mailer.send(mail)
            except MailRejected:
                outcome.word = "refused"
                raise

    async def check(self) -> None:
        await self._mailer.check()


class InstrumentedSender:
    """Implements `Sender`. A callback is done when its receiver took it."""

    def __init__(self, sender: Sender, metrics: WorkerMetrics) -> None:
        self._sender = sender
        self._metrics = metrics

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        with self._metrics.effect("callback") as outcome:
            attempt = await self._sender.send(url, headers, body)
            outcome.word = "done" if attempt.succeeded else "failed"
            return attempt


class InstrumentedSealer:
    """Implements `Sealer`. A seal below its goal, as without an answer of the timestamp authority, is `lower`."""

    def __init__(self, sealer: Sealer, metrics: WorkerMetrics) -> None:
        self._sealer = sealer
        self._metrics = metrics

    def room_for(self, statement: Statement) -> int:
        return self._sealer.room_for(statement)

    @property
    def trusted(self) -> Trusted:
        return self._sealer.trusted

    @property
    def goal(self) -> SealLevel:
        return self._sealer.goal

    async def seal(self, prepared: Prepared, statement: Statement) -> Sealed:
        with self._metrics.effect("sealing") as outcome:
            sealed = await self._sealer.seal(prepared, statement)
            outcome.word = "done" if sealed.level == self.goal else "lower"
            return sealed

    async def level_of(self, pdf: bytes) -> SealLevel:
        return await self._sealer.level_of(pdf)

    async def augment_seal(self, sealed: Sealed) -> Sealed:
        with self._metrics.effect("raising"):
            return await self._sealer.augment_seal(sealed)
