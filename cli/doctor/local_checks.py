"""Checks of this machine: settings, keys, fonts, and a sample document laid out, sealed and verified."""

import asyncio
import os
import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509

from adapters.all_keys import files_of, read_all
from adapters.keys.secret_keys import KeysUnusable, file_unusable
from adapters.processes.confinement import find_missing
from adapters.processes.job_limits import JobLimits
from adapters.processes.pool import ForkServerPool
from adapters.sealing.factory import LOCAL, SEALING, open_keys, open_sealer
from adapters.sealing.keys.self_test import prove_key
from adapters.sealing.sealer import Verification
from adapters.telemetry.traces import check_installed
from application.checks import CheckFailed, CheckPassed
from application.documents.render_jobs import render_document
from application.documents.verify import check_file
from config import production_checks
from config.settings import Settings
from domain.audit.verification_report import Verdict
from domain.ports.seals import SealKeyFailed
from domain.seal.seal import Sample
from domain.shared.errors import ConfigError
from layout.schema.block_document import BlockDocument
from pades.prepare_seal import prepare_seal

LETTERS = "Aé Ω Ж א ع ह ไ 中 あ 한 ☑ €"
"""A letter of each of the most common scripts."""

SAMPLE_DOCUMENT = BlockDocument.model_validate(
    {
        "format": "blocks",
        "title": "Preflight",
        "blocks": [
            {"type": "heading", "text": "A sample document"},
            {"type": "paragraph", "text": f"It is laid out, sealed and verified by undersign doctor. {LETTERS}"},
            {"type": "field", "fieldType": "text", "label": "Reference", "recipient": "ada"},
            {"type": "signatureBlock", "label": "Signature", "recipient": "ada"},
        ],
    }
)


def try_fonts() -> tuple[int, str]:
    """Returns the number of faces, and the letters that none draws; raises if a font cannot be opened."""
    from layout.text.characters import undrawable
    from layout.text.fonts import Face, characters_of

    return sum(bool(characters_of(face)) for face in Face), undrawable(LETTERS)


_SOON = timedelta(days=30)
_MIN_FREE, _LITTLE_FREE = 100_000_000, 1_000_000_000
"""Free bytes below which the check fails, and below which it has a note, as the alert UndersignStorageNearlyFull."""

_PATIENT = JobLimits(seconds=60, memory=2 * 1024**3)


async def check_settings(settings: Settings) -> CheckPassed:
    """Checks that the settings meet the requirements of production, if they are for it."""
    if errors := list(production_checks.find_errors(settings)):
        raise CheckFailed(" ".join(errors), "Set these, or UNDERSIGN_ENVIRONMENT=development to try the service out.")
    try:
        check_installed(os.environ)
    except ConfigError as error:
        raise CheckFailed(str(error)) from error
    kind = "production" if settings.is_production else "development"
    risks = " ".join(production_checks.find_risks(settings))
    return CheckPassed(f"They are valid, for {kind}, at {settings.base_url}.", risks or None)


async def check_keys(settings: Settings) -> CheckPassed:
    """Checks that the key files are complete and private."""
    keys = settings.data_dir / "keys"
    try:
        return await asyncio.to_thread(_check_key_files, keys, has_local_seal=settings.seal_key is None)
    except OSError as error:
        raise CheckFailed(str(file_unusable(error, keys)), "See docs/operations.md, Preflight.") from error


def _check_key_files(directory: Path, *, has_local_seal: bool) -> CheckPassed:
    if not directory.exists():
        return CheckPassed(
            "There are none yet.", "They are created at the first start. Back them up then, separately from other data."
        )
    for path in files_of(directory, has_local_seal=has_local_seal):
        if not path.is_file():
            raise CheckFailed(
                f"{path} is missing.",
                "Restore it from a backup: what it signed or encrypted is unusable without it. If the service has "
                "never started, its first start creates it.",
            )
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise CheckFailed(f"{path} can be read or written by other users.", f"chmod 600 {path}")
    try:
        read_all(directory, has_local_seal=has_local_seal)
    except KeysUnusable as error:
        raise CheckFailed(str(error), "If it is damaged, restore it from a backup.") from error
    return CheckPassed(f"All are in {directory}, readable by this user only.")


async def check_seal(settings: Settings) -> CheckPassed:
    """Checks that the key signs and that its certificate does not expire soon."""
    with TemporaryDirectory() as fresh:
        stored = settings.data_dir / "keys" / LOCAL
        try:
            key = open_keys(settings.seal, stored if stored.exists() else Path(fresh, LOCAL))()
            await prove_key(key)
        except KeysUnusable as error:
            raise CheckFailed(str(error), "See docs/seals.md.") from error
    certificate = x509.load_der_x509_certificate(key.certificate_chain.certificate)
    until = certificate.not_valid_after_utc
    message = f"A sample was signed; the certificate is valid until {until:%Y-%m-%d}."
    note = None
    if until - datetime.now(UTC) < _SOON:
        note = "Renew the certificate before it expires, or run undersign seal rotate."
    elif settings.seal_key is None and not stored.exists():
        note = "The key itself is created at the first start; undersign seal certificate shows its certificate."
    return CheckPassed(message, note)


async def check_disk(settings: Settings) -> CheckPassed:
    """Checks the data directory: its free space, or that of the nearest folder before the first start, and that the
    folders and files in it can be created.
    """
    folder = next(path for path in (settings.data_dir, *settings.data_dir.parents) if path.is_dir())
    needed = [settings.data_dir / "keys"]
    needed += [] if settings.object_store else [settings.data_dir / "objects"]
    needed += [] if settings.database_url else [settings.data_dir / "undersign.db"]
    missing = [path for path in needed if not path.exists()]
    if missing and (settings.data_dir.is_file() or not os.access(folder, os.W_OK)):
        raise CheckFailed(f"{missing[0]} cannot be created.", "Check UNDERSIGN_DATA_DIR: a folder that can be written.")
    return judge_free_space(shutil.disk_usage(folder).free, folder)


def judge_free_space(free: int, folder: Path) -> CheckPassed:
    """Returns the result for `free` bytes; raises `CheckFailed` if they are too few for a day's work."""
    message = f"{free / 1e9:.1f} GB are free in {folder}."
    if free < _MIN_FREE:
        raise CheckFailed(message)
    return CheckPassed(message, "Make room: on a full disk nothing can be signed." if free < _LITTLE_FREE else None)


async def check_fonts() -> CheckPassed:
    """Checks that every font opens and that letters of many scripts are drawn."""
    pool = ForkServerPool(1, limits=_PATIENT)
    try:
        faces, missing = await pool.run(try_fonts)
    finally:
        await pool.close()
    if missing:
        raise CheckFailed(f"No font draws {missing}.")
    return CheckPassed(f"{faces} faces and the fallback fonts of other scripts draw their letters.")


async def check_processes() -> CheckPassed:
    """Checks that this machine has every means that confines processes that read files of others."""
    missing = find_missing()
    message = "Child processes are confined" + (" in part." if missing else ": system calls, files, other processes.")
    return CheckPassed(message, " ".join(missing) or None)


async def check_canary(settings: Settings) -> CheckPassed:
    """Lays out, seals and verifies a sample document with the code that sessions use."""
    pool = ForkServerPool(1, limits=_PATIENT, warm_modules=SEALING)
    with TemporaryDirectory() as fresh:
        stored = settings.data_dir / "keys"
        # A check must not create the keys of a service that has never started.
        keys = stored if (stored / LOCAL).exists() else Path(fresh)
        try:
            sealer = await open_sealer(settings.seal, keys, pool, Verification(check_file))
            rendered = await pool.run(render_document, SAMPLE_DOCUMENT, ["ada"], {})
            if rendered.pdf is None:
                raise CheckFailed("It could not be laid out.", "Install the service again.")
            statement = Sample()
            prepared = await pool.run(prepare_seal, rendered.pdf, sealer.reserved_bytes(statement), statement)
            sealed = await sealer.seal(prepared, statement)
            report = await pool.run(check_file, sealed.pdf, sealer.trusted, datetime.now(UTC))
        except (KeysUnusable, SealKeyFailed) as error:
            raise CheckFailed(f"It could not be sealed: {error}", "See the check of the seal.") from error
        finally:
            await pool.close()
    if report.verdict is not Verdict.GENUINE:
        raise CheckFailed(f"The sealed document is not valid: {report.summary}", "See the checks of seal and clock.")
    message = f"{rendered.page_count} page was laid out, sealed at level {sealed.level} and verified."
    lower = f"The configured level is {sealer.goal}: check the timestamp authority."
    return CheckPassed(message, lower if sealed.level != sealer.goal else None)
