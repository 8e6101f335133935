"""A sealed PDF is signed over the whole file, and programs that did not make it agree."""

from pathlib import Path

import pytest

from adapters.sealing.sealer import PadesSealer
from domain.seal.seal import SealLevel
from layout.engine import render
from pades.placeholder import prepare_seal
from ports.sealing import NotSealable, PreparedPdf, SealNotValid
from tests.application.uploads import pdfs
from tests.fakes.processes import InlinePool
from tests.fakes.seals import KEYS, REFERENCE, SEALER, MemoryKeys, seal
from tests.layout.documents import document, signature
from tests.layout.reading import check
from tests.pades.readers import pdfsig


def ours() -> bytes:
    rendered = render(document(signature("For the client")), ["client"])
    assert rendered.pdf
    return rendered.pdf


@pytest.mark.poppler
@pytest.mark.parametrize("pdf", [ours(), pdfs.of_pages(3), pdfs.pdf()])
async def test_others_find_the_whole_file_signed_and_sound(pdf: bytes, tmp_path: Path) -> None:
    sealed = await seal(pdf, SEALER)

    told = pdfsig(sealed.pdf, tmp_path)
    assert sealed.level is SealLevel.B_B
    assert sealed.pdf.startswith(pdf)
    check(sealed.pdf)
    for wanted in ("ETSI.CAdES.detached", "SHA-256", "Signature is Valid.", "Total document signed"):
        assert wanted in told


async def test_no_change_is_allowed_after_the_seal() -> None:
    sealed = await seal(ours(), SEALER)

    assert b"/DocMDP" in sealed.pdf
    assert b"/P 1" in sealed.pdf


@pytest.mark.parametrize("place", [50, 400, -500])
async def test_a_changed_byte_breaks_the_seal(place: int) -> None:
    sealed = bytearray((await seal(pdfs.of_pages(3), SEALER)).pdf)
    sealed[place] ^= 1

    with pytest.raises(SealNotValid):
        await SEALER.level_of(bytes(sealed))


@pytest.mark.parametrize("added", [b"\n% and then", b" ", b"\nstartxref\n0\n%%EOF\n"])
async def test_what_is_added_after_the_seal_breaks_it(added: bytes) -> None:
    sealed = await seal(ours(), SEALER)

    with pytest.raises(SealNotValid):
        await SEALER.level_of(sealed.pdf + added)


async def test_a_pdf_without_a_seal_has_no_level() -> None:
    with pytest.raises(SealNotValid, match="no seal"):
        await SEALER.level_of(ours())


async def test_a_seal_under_another_authority_is_not_ours() -> None:
    strangers = MemoryKeys()
    sealed = await seal(ours(), PadesSealer(strangers, strangers.trusted, InlinePool()))

    with pytest.raises(SealNotValid, match="not trusted"):
        await SEALER.level_of(sealed.pdf)


async def test_seals_of_before_hold_after_another_key_took_over() -> None:
    keys = MemoryKeys(KEYS.authority)
    before = await seal(ours(), PadesSealer(keys, keys.trusted, InlinePool()))
    keys.rotate()

    assert await PadesSealer(keys, keys.trusted, InlinePool()).level_of(before.pdf) is SealLevel.B_B


def test_what_is_no_pdf_is_not_sealed() -> None:
    with pytest.raises(NotSealable):
        prepare_seal(b"%PDF-1.7 of somebody", 1000, REFERENCE)


def test_a_signature_that_does_not_fit_is_refused_rather_than_cut() -> None:
    with pytest.raises(NotSealable, match="reserved"):
        PreparedPdf(pdf=b"<0000>", digest=b"", start=0, end=6).with_signature(b"abc")
