"""A document that names no language is in that of its session, else in that of its organisation."""

import json
from dataclasses import replace
from io import BytesIO
from itertools import product
from typing import Any

import pikepdf
import pytest

from application.preview import render_sample
from domain.texts.languages import LANGUAGES
from tests.api.service import Service, document, session_request
from tests.builders import ORGANISATION, template

OF_DOCUMENT, OF_SESSION, OF_ORGANISATION = "it", "de", "ja"


async def stored(service: Service, session: dict[str, Any]) -> tuple[bytes, bytes]:
    """Returns the source and the pages of the session's document."""
    (file,) = service.sessions.held[session["sessionId"]].files
    assert file.source is not None
    return await service.objects.get(file.source), await service.objects.get(file.rendered)


def language_of(pdf: bytes) -> str:
    with pikepdf.open(BytesIO(pdf)) as file:
        return str(file.Root.Lang)


async def set_language(service: Service, language: str | None) -> None:
    before = await service.organisations.get(ORGANISATION)
    assert before is not None
    await service.organisations.change(before, replace(before, language=language))


@pytest.mark.parametrize(("own", "of_session", "of_organisation"), [*product((True, False), repeat=3)])
async def test_it_is_the_first_of_these_that_there_is(
    service: Service, own: bool, of_session: bool, of_organisation: bool
) -> None:
    await set_language(service, OF_ORGANISATION if of_organisation else None)
    named = {"language": OF_DOCUMENT} if own else {}
    chosen = {"language": OF_SESSION} if of_session else {}
    session = await service.create(files=[{"type": "blocks", "document": document(**named)}], **chosen)
    source, pdf = await stored(service, session)

    ordered = [(own, OF_DOCUMENT), (of_session, OF_SESSION), (of_organisation, OF_ORGANISATION)]
    expected = next((language for there, language in ordered if there), None)
    assert json.loads(source).get("language") == expected
    assert language_of(pdf) == (expected or "en")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_pages_are_those_of_a_document_that_names_the_language(service: Service, language: str) -> None:
    named = await service.create(files=[{"type": "blocks", "document": document(language=language)}])
    given = await service.create(language=language)
    await set_language(service, language)
    inherited = await service.create()

    pages = [(await stored(service, session))[1] for session in (named, given, inherited)]
    assert pages[0] == pages[1] == pages[2]


async def test_a_draft_in_another_language_keeps_its_pages(service: Service) -> None:
    session = await service.create(language="de")
    before = await stored(service, session)
    await service.http().patch(f"/api/v1/Session/{session['sessionId']}", json={"language": "fr"})

    assert await stored(service, session) == before


async def test_previews_are_in_the_language_of_the_organisation(service: Service) -> None:
    await set_language(service, "fr")
    asked = {"kind": "session", "document": document(), "recipients": [{"key": "ada"}]}
    shown = await service.http().post("/api/v1/Document/Preview", json=asked, headers={"Accept": "application/pdf"})

    assert language_of(shown.content) == "fr"


@pytest.mark.parametrize(("tag", "language"), [("de-CH", "de"), ("DE", "de"), ("pt-PT", "pt"), ("zh-CN", "zh-Hans")])
async def test_the_tag_of_a_document_is_matched_as_that_of_a_session(service: Service, tag: str, language: str) -> None:
    session = await service.create(files=[{"type": "blocks", "document": document(language=tag)}], language=tag)
    source, _ = await stored(service, session)

    assert (json.loads(source)["language"], session["language"]) == (language, language)


async def test_a_template_is_shown_in_its_language_else_in_that_of_the_organisation(service: Service) -> None:
    await set_language(service, "nl")
    own, inherited = template("t1", language="pl"), template("t2")

    for each, language in ((own, "pl"), (inherited, "nl")):
        pdf = (await render_sample(service.services(), each)).pdf
        assert pdf is not None
        assert language_of(pdf) == language


async def test_an_unknown_tag_of_a_document_is_refused_with_the_known_ones(service: Service) -> None:
    request = session_request(files=[{"type": "blocks", "document": document(language="zh-TW")}])
    refused = await service.http().post("/api/v1/Session", json=request)

    assert refused.status_code == 400
    assert "zh-Hans" in refused.text
    assert "/files/0/document/language" in refused.text
