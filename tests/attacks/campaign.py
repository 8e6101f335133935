"""Attacks by number: a prepared upload, sealed by the service's own functions, and what is added to it then."""

import asyncio
import re
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

import pikepdf
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.signed_documents import DocumentActivities
from adapters.sealing.sealer import PadesSealer, TargetLevel, Verification
from adapters.sealing.timestamp_client import HttpTimestampAuthority
from application.documents.verify import check_file
from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from domain.audit.verification_report import Outcome, Verdict
from domain.ports.seals import SealFailed, TrustAnchors
from domain.seal.seal import SealLevel
from domain.session.materials import Materials
from domain.shared.ids import FileId, SessionId
from pades.certificates import new_crl
from tests.adapters.sealing.timestamp_server import TimestampServer
from tests.attacks import appearances, interactive, readers, structure  # noqa: F401  # they register their tricks
from tests.attacks.additions import ADDITIONS, Kind
from tests.attacks.draft import Draft, new_draft
from tests.attacks.tricks import HONEST, TRICKS
from tests.builders import ORGANISATION, VERIFY_URL, identifier
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.processes import InlinePool
from tests.fakes.seals import KEYS
from tests.pades.verification.sealed_files import CLOCK, NOW

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

ADDITIONS_EACH = 6
"""Attacks on one sealed file, at most."""

NOT_UNDER_A_SIGNATURE = frozenset({"a store of certificates"})
"""What is accepted only where it can be written anew."""

_AT_ONCE = 24
"""Files that are drawn together. Their pictures take 12 MB each."""

T = TypeVar("T")

_ACTIONS = (
    b"SetOCGState Hide ResetForm SubmitForm GoToR GoToE Launch Sound Movie Rendition Trans Thread GoTo3DView Named"
)
_ACTIVE = re.compile(rb"/S\s*/(?:%b)\b|/Collection\b|/NeedAppearances true|/AA\b" % _ACTIONS.replace(b" ", b"|"))


def sealers(clock: TimestampServer) -> tuple[PadesSealer, PadesSealer]:
    """Sealers as the worker has them: at B-B, and at B-LTA."""
    trusted = TrustAnchors(KEYS.trusted().seals, clock.roots)
    authority = HttpTimestampAuthority(clock.address, clock.roots)
    lasting = TargetLevel(SealLevel.B_LTA, authority, lambda: (new_crl(KEYS.authority),))
    return (
        PadesSealer(KEYS.current, KEYS.trusted, InlinePool(), verification=Verification(check_file)),
        PadesSealer(KEYS.current, lambda: trusted, InlinePool(), lasting, verification=Verification(check_file)),
    )


@dataclass(frozen=True)
class Attack:
    """An upload, and the file that became of it, unless it was refused. `told` says in words what was done."""

    number: int
    told: str
    upload: bytes
    pdf: bytes = b""


@dataclass(frozen=True)
class Failure:
    """What is wrong with a file. `drawn` are its pictures, by reader, if it was drawn."""

    attack: Attack
    why: str
    drawn: Mapping[str, readers.Pictures] = field(default_factory=dict)


@dataclass
class Campaign:
    """Makes and judges attacks `numbers` of `seed`. What is wrong is in `failures`, with the file."""

    seed: int
    sealers: Sequence[PadesSealer]
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def run(self, count: int) -> None:
        """Tries `count` attacks: each trick alone first, then several at once."""
        number, waiting = 0, list[Attack]()
        while self.counts["attacks"] < count:
            waiting += self._attack(number)
            number += 1
            if len(waiting) >= _AT_ONCE:
                self._compare(waiting)
                waiting = []
        self._compare(waiting)

    def _attack(self, number: int) -> list[Attack]:
        """Returns the genuine files of an upload: readers must agree on them."""
        random = RecordedRandom(f"{self.seed} {number}")
        draft = draft_of(number, random)
        sealer = random.choices(self.sealers, (3, 1))[0]
        self.counts["attacks"] += 1
        draft.length = len(self._sealed(draft, sealer) or b"") if draft.is_predicted else 0
        sealed = self._sealed(draft, sealer)
        if sealed is None:
            self.counts["refused"] += 1
            if draft.is_honest:
                self._fail(Attack(number, told(draft), draft.write()), "an honest file is refused")
            return []
        names = ["nothing", *random.sample(sorted(ADDITIONS), ADDITIONS_EACH - 1)]
        if draft.later:
            names[-1] = "a store under a number that the upload names"
        if draft.wanted:
            names[-1] = "a store that makes the file as long as was said"
        self.counts["attacks"] += len(names) - 1
        trusted = TrustAnchors(sealer.trusted.seals, (*sealer.trusted.timestamps, CLOCK.der))
        attacks = []
        for name in names:
            pdf = ADDITIONS[name].change(sealed, draft, random)
            if pdf is not None:
                attacks.append(Attack(number, f"{told(draft)}, then {name}", draft.write(), pdf))
                if not self._is_genuine(attacks[-1], ADDITIONS[name].kind, trusted):
                    attacks.pop()
        return attacks

    def _sealed(self, draft: Draft, sealer: PadesSealer) -> bytes | None:
        """The upload as the service seals it; None if it refuses to."""
        upload = draft.write()
        try:
            validated = validate_pdf(upload)
            return asyncio.run(sealed_by_worker(validated.rewritten or upload, validated.page_count, sealer))
        except (PdfRefused, SealFailed, ApplicationError) as error:
            self.counts[f"refused: {error}"] += 1
            return None

    def _is_genuine(self, attack: Attack, kind: Kind, trusted: TrustAnchors) -> bool:
        """Judges a file, and fails it if the verdict is wrong."""
        report = check_file(attack.pdf, trusted, NOW)
        self.counts[f"{kind.name}: {report.verdict.value}"] += 1
        if report.verdict is not Verdict.GENUINE:
            if kind is Kind.HONEST:
                fails = [one.text for one in report.findings if one.outcome is Outcome.FAILS]
                self._fail(attack, f"an honest file is {report.verdict.value}: {fails}")
            return False
        if kind is Kind.RIDER:
            self._fail(attack, "a rider is genuine")
        elif zipfile.is_zipfile(BytesIO(attack.pdf)):
            self._fail(attack, "an archive is genuine")
        elif is_active(attack.pdf):
            self._fail(attack, "an action is genuine")
        return True

    def _compare(self, attacks: Sequence[Attack]) -> None:
        with TemporaryDirectory() as folder:
            files = []
            for index, attack in enumerate(attacks):
                files.append(Path(folder) / f"{index}.pdf")
                files[-1].write_bytes(attack.pdf)
            for attack, drawn in zip(attacks, readers.drawn_by_all(files), strict=True):
                self.counts["compared"] += 1
                found = readers.disagreement(drawn)
                if found is not None:
                    self.failures.append(Failure(attack, f"readers disagree: {found}", drawn))

    def _fail(self, attack: Attack, why: str) -> None:
        self.failures.append(Failure(attack, why))


def told(draft: Draft) -> str:
    return ", ".join(draft.told)


class RecordedRandom(Random):
    """Keeps in words what it chose."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.chosen: list[str] = []

    def choice(self, seq: "SupportsLenAndGetItem[T]") -> T:
        chosen = super().choice(seq)
        if isinstance(chosen, bytes):
            self.chosen.append(repr(chosen)[2:60])
        return chosen


def draft_of(number: int, random: RecordedRandom) -> Draft:
    """An upload: each kind of honest one, each trick alone, both again in signed files, then several at once."""
    draft = new_draft()
    alone = [*HONEST, *TRICKS]
    names = [alone[number % len(alone)]] if number < 2 * len(alone) else random.choice(
        ([random.choice(alone)], random.sample(alone, 2), random.sample(sorted(HONEST), 2), random.sample(alone, 3))
    )  # fmt: skip
    for name in names:
        (HONEST.get(name) or TRICKS[name])(draft, random)
        draft.told.append(" ".join([name, *random.chosen]))
        random.chosen.clear()
    draft.is_signed = number >= len(alone) and (number < 2 * len(alone) or random.random() < 0.3)
    draft.is_honest = number % len(alone) < len(HONEST) and (
        number < len(HONEST) or (draft.is_signed and number < 2 * len(alone) and names[0] not in NOT_UNDER_A_SIGNATURE)
    )
    if draft.is_signed:
        draft.told.insert(0, "signed")
        try:
            draft.write()
        except Exception:  # noqa: BLE001  # what cannot be signed is tried without
            draft.is_signed = draft.is_honest = False
            draft.told[0] = "not to be signed"
    return draft


async def sealed_by_worker(pdf: bytes, page_count: int, sealer: PadesSealer) -> bytes:
    """The file as the worker seals and stores an upload without fields."""
    objects = MemoryObjectStore()
    materials = Materials(
        organisation_id=ORGANISATION,
        session_id=SessionId(identifier("session")),
        file_id=FileId(identifier("file")),
        page_count=page_count,
        rendered=await objects.put("upload.pdf", pdf, "application/pdf"),
        zones=None,
        signatories=(),
    )
    activities = DocumentActivities(objects, InlinePool(), sealer, VERIFY_URL)
    generated = await ActivityEnvironment().run(activities.generate_document, materials)
    return await objects.get(generated.signed)


def is_active(pdf: bytes) -> bool:
    """Whether an object of the file is an action that does more than to open a page or an address."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        return any(
            _ACTIVE.search(one.unparse(resolved=True)) for one in opened.objects if not isinstance(one, pikepdf.Stream)
        )
