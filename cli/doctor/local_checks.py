"""Checks of this machine: settings, keys, fonts, and one document from its blocks to a seal that holds."""

import asyncio
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509

from adapters.keys.key_folder import files_of, read_all
from adapters.keys.secret_keys import KeysUnusable, file_unusable
from adapters.processes.pool import JobLimits, SpawnedProcessPool
from adapters.processes.sandbox import UNCONFINED, can_confine
from adapters.sealing.factory import LOCAL, SEALING, open_keys, open_sealer
from adapters.sealing.keys.self_test import prove_key
from application.documents.render_jobs import typeset
from application.documents.verify import check_file
from cli.doctor.checks import Check, Failed, Passed
from cli.doctor.sample_document import CANARY, try_fonts
from domain.audit.verification import Verdict
from domain.seal.statement import Sample
from pades.placeholder import prepare_seal
from ports.sealing import SealKeyFailed
from settings import Settings

_SOON = timedelta(days=30)
_PATIENT = JobLimits(seconds=60, memory=2 * 1024**3)


def checks(settings: Settings) -> Iterator[Check]:
    """All of them."""
    restored = "Put the files of keys/ in the data directory back from a backup, readable by this user only."
    yield Check("settings", partial(check_settings, settings), "See docs/settings.md.")
    yield Check("keys", partial(check_keys, settings), restored)
    yield Check("seal", partial(check_seal, settings), "Look at UNDERSIGN_SEAL_KEY and what belongs to it.")
    yield Check("fonts", check_fonts, "Install the service anew: its fonts come with packages that it depends on.")
    yield Check(
        "canary",
        partial(check_canary, settings),
        "Look at memory, processes and room on the disks of this machine, and at the checks of seal and fonts.",
    )


async def check_settings(settings: Settings) -> Passed:
    """Those of production must not have what only development should."""
    risks = list(settings.risks())
    if risks:
        raise Failed(" ".join(risks), "Set these, or UNDERSIGN_ENVIRONMENT=development to try the service out.")
    kind = "production" if settings.is_production else "development"
    return Passed(f"They make sense, for {kind}, at {settings.base_url}.", " ".join(settings.notes()) or None)


async def check_keys(settings: Settings) -> Passed:
    """The files are whole, and nobody else's business."""
    keys = settings.data_dir / "keys"
    try:
        return await asyncio.to_thread(_look_at_keys, keys, has_local_seal=settings.seal_key is None)
    except OSError as error:
        raise Failed(str(file_unusable(error, keys)), "See docs/operations.md, Preflight.") from error


def _look_at_keys(directory: Path, *, has_local_seal: bool) -> Passed:
    if not directory.exists():
        return Passed(
            "There are none yet.", "They are made at the first start. Back them up then, apart from the rest."
        )
    for path in files_of(directory, has_local_seal=has_local_seal):
        if not path.is_file():
            raise Failed(
                f"{path} is missing.",
                "Put it back from a backup: what it signed or opened works no more. Where the service has never "
                "started, its first start makes it.",
            )
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise Failed(f"{path} can be read or written by other users.", f"chmod 600 {path}")
    try:
        read_all(directory, has_local_seal=has_local_seal)
    except KeysUnusable as error:
        raise Failed(str(error), "If it is damaged, put it back from a backup.") from error
    return Passed(f"All are in {directory}, for this user only.")


async def check_seal(settings: Settings) -> Passed:
    """The key signs, and belongs to a certificate that holds for a while."""
    with TemporaryDirectory() as fresh:
        kept = settings.data_dir / "keys" / LOCAL
        try:
            key = open_keys(settings.seal, kept if kept.exists() else Path(fresh, LOCAL)).current()
            await prove_key(key)
        except KeysUnusable as error:
            raise Failed(str(error), "See docs/operations.md, Seals.") from error
    certificate = x509.load_der_x509_certificate(key.identity.certificate)
    until = certificate.not_valid_after_utc
    told = f"A sample was signed; the certificate holds until {until:%Y-%m-%d}."
    if until - datetime.now(UTC) < _SOON:
        return Passed(told, "Get another certificate before it ends, or undersign seal rotate.")
    if settings.seal_key is None and not kept.exists():
        return Passed(told, "The key itself is made at the first start; undersign seal certificate shows whose it is.")
    return Passed(told)


async def check_fonts() -> Passed:
    """Every face opens, and letters of many scripts are drawn."""
    pool = SpawnedProcessPool(1, limits=_PATIENT)
    try:
        faces, missing = await pool.run(try_fonts)
    finally:
        await pool.close()
    if missing:
        raise Failed(
            f"No font draws {missing}.", "Install the service anew: its fonts come with packages that it depends on."
        )
    return Passed(f"{faces} faces and their fallbacks for other scripts draw their letters.")


async def check_canary(settings: Settings) -> Passed:
    """A document is laid out, sealed and found genuine, on the way that every document goes."""
    pool = SpawnedProcessPool(1, limits=_PATIENT, warm_modules=SEALING)
    with TemporaryDirectory() as fresh:
        kept = settings.data_dir / "keys"
        # What has never run is not to have begun because somebody looked.
        keys = kept if (kept / LOCAL).exists() else Path(fresh)
        try:
            sealer = await open_sealer(settings.seal, keys, pool)
            made = await pool.run(typeset, CANARY, ["ada"], {})
            if made.pdf is None:
                raise Failed("It could not be laid out.", "Install the service anew.")
            statement = Sample()
            prepared = await pool.run(prepare_seal, made.pdf, sealer.room_for(statement), statement)
            sealed = await sealer.seal(prepared, statement)
            report = await pool.run(check_file, sealed.pdf, sealer.trusted, datetime.now(UTC))
        except (KeysUnusable, SealKeyFailed) as error:
            raise Failed(f"It could not be sealed: {error}", "Look at the check of the seal.") from error
        finally:
            await pool.close()
    if report.verdict is not Verdict.GENUINE:
        raise Failed(f"The sealed document does not hold: {report.summary}", "Look at the checks of seal and clock.")
    told = f"{made.page_count} page was laid out, sealed at level {sealed.level} and found genuine."
    if not can_confine():
        return Passed(told, UNCONFINED)
    if sealed.level != sealer.goal:
        return Passed(told, f"Seals are to reach {sealer.goal}: look at the timestamp authority.")
    return Passed(told)
