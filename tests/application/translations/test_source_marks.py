"""A translation is marked with its sentence, and becomes fuzzy when that changes."""

from io import BytesIO

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po

from application.translations.source_marks import mark_translations, marks_on
from tests.application.translations.catalogue_checks import complaints

LATER, ASKED, NOTHING = "You can sign later", "Copy: was asked for nothing", "Copy: signs nothing"
PAGES = ("1 page", "{count} pages")


def german() -> Catalog:
    catalogue = Catalog("de")
    catalogue.add(LATER, "Sie können später unterschreiben")
    catalogue.add(ASKED, "Zur Kenntnis: wurde um nichts gebeten", context="copy")
    catalogue.add(PAGES, ("1 Seite", "{count} Seiten"))
    mark_translations(catalogue)
    return saved(catalogue)


def saved(catalogue: Catalog) -> Catalog:
    file = BytesIO()
    write_po(file, catalogue, width=0)
    return read_po(BytesIO(file.getvalue()), "de")


def template(*messages: tuple[str | tuple[str, str], str | None]) -> Catalog:
    catalogue = Catalog()
    for message, context in messages:
        catalogue.add(message, context=context)
    return catalogue


def renamed(catalogue: Catalog, old: str | tuple[str, str], new: str | tuple[str, str]) -> Catalog:
    """Returns a catalogue in which `new` stands in place of the English sentence `old`, and nothing else changed."""
    changed = Catalog("de")
    for message in catalogue:
        if message.id:
            wanted = new if message.id == old else message.id
            comments = message.user_comments
            changed.add(wanted, message.string, context=message.context, user_comments=comments)
    return changed


def find(catalogue: Catalog, sentence: str | tuple[str, str]) -> Message:
    return next(message for message in catalogue if message.id == sentence)


ALL = ((LATER, None), (ASKED, "copy"), (PAGES, None))


def test_a_translation_keeps_its_mark() -> None:
    catalogue = german()
    before = {message.id: marks_on(message) for message in catalogue if message.id}
    mark_translations(catalogue)

    assert complaints("de", catalogue, template(*ALL)) == []
    assert {message.id: marks_on(message) for message in catalogue if message.id} == before
    assert len({mark for marks in before.values() for mark in marks}) == len(ALL)


@pytest.mark.parametrize(
    ("old", "new", "context"),
    [(ASKED, NOTHING, "copy"), (LATER, f"{LATER}.", None), (PAGES, ("A page", PAGES[1]), None)],
)
def test_a_sentence_replaced_in_source_and_catalogue_makes_its_translation_fuzzy(
    old: str | tuple[str, str], new: str | tuple[str, str], context: str | None
) -> None:
    catalogue = renamed(german(), old, new)
    wanted = template(*(((new, context) if sentence == old else (sentence, each)) for sentence, each in ALL))
    found = complaints("de", catalogue, wanted)
    mark_translations(catalogue)

    assert len(found) == 1
    assert "is not marked as the source of its translation" in found[0]
    assert [message.id for message in catalogue if message.id and message.fuzzy] == [new]
    assert marks_on(find(catalogue, new)) == []
    assert "is fuzzy" in complaints("de", saved(catalogue), wanted)[0]


def test_a_corrected_translation_is_marked_with_the_new_sentence() -> None:
    catalogue, wanted = renamed(german(), ASKED, NOTHING), template((LATER, None), (NOTHING, "copy"), (PAGES, None))
    mark_translations(catalogue)
    message = find(catalogue, NOTHING)
    message.string = "Zur Kenntnis: unterschreibt nichts"
    message.flags.discard("fuzzy")

    assert len(complaints("de", catalogue, wanted)) == 1
    mark_translations(catalogue)
    assert complaints("de", catalogue, wanted) == []


def test_a_sentence_changed_in_the_source_alone_keeps_its_translation_as_fuzzy() -> None:
    catalogue, wanted = german(), template((f"{LATER}.", None), (ASKED, "copy"), (PAGES, None))
    catalogue.update(wanted)
    mark_translations(catalogue)

    assert find(catalogue, f"{LATER}.").string == "Sie können später unterschreiben"
    assert "is fuzzy" in complaints("de", saved(catalogue), wanted)[0]


def test_a_message_without_translation_has_no_mark() -> None:
    catalogue = Catalog("de")
    catalogue.add(PAGES, ("1 Seite", ""))
    catalogue.add(LATER, "")
    mark_translations(catalogue)

    assert [marks_on(message) for message in catalogue if message.id] == [[], []]
