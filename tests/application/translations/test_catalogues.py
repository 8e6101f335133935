"""The catalogues have every message of the sources, and translations that can be filled in."""

import re
from io import BytesIO
from pathlib import Path
from unicodedata import bidirectional

import pytest
from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from application.translations import FOLDER, catalogue_path, read_catalogue
from domain.texts.languages import ENGLISH, LANGUAGES
from tests import ROOT
from tests.application.translations.catalogue_checks import complaints
from tests.application.translations.term_checks import wrong_terms
from tests.application.translations.typography_checks import wrong_marks

TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]

PAGES, SAYS, HELLO = "{count} pages", "{name} says", "Hello %(name)s"


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


TEMPLATE = read(FOLDER / "undersign.pot")


def made(text: str) -> Catalog:
    return read_po(BytesIO(text.encode()))


def test_the_template_has_the_messages_of_the_sources() -> None:
    with (FOLDER / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    assert all(any(ROOT.glob(pattern)) for pattern, _ in methods), "a path in babel.cfg names no file"
    extracted = Catalog()
    for _, _, message, _, context in extract_from_dir(ROOT, methods, options, {**DEFAULT_KEYWORDS, "marked": None}):
        extracted.add(message, context=context)

    def keys(catalogue: Catalog) -> set[tuple[object, object]]:
        return {(message.context, message.id) for message in catalogue if message.id}

    assert keys(extracted) == keys(TEMPLATE), "run `make catalogues`"


def test_every_language_has_a_catalogue_and_every_catalogue_a_language() -> None:
    found = {path.relative_to(FOLDER).parts[0] for path in FOLDER.glob("*/LC_MESSAGES/undersign.po")}
    assert found == {language.replace("-", "_") for language in TRANSLATED}


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_all_messages_whole(language: str) -> None:
    assert complaints(language, read(catalogue_path(language)), TEMPLATE) == []


@pytest.mark.parametrize("language", ["ar", "he"])
def test_a_message_takes_its_direction_from_letters_or_marks_outside_of_isolates(language: str) -> None:
    forms = [form for message in read(catalogue_path(language)) if message.id for form in _forms(message)]
    outside = {form: re.sub("\u2068.*?\u2069", "", form) for form in forms if "\u2068" in form}
    assert outside
    assert [form for form, rest in outside.items() if not {"R", "AL"} & set(map(bidirectional, rest))] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_the_marks_of_its_language(language: str) -> None:
    forms = [form for message in read(catalogue_path(language)) if message.id for form in _forms(message)]
    assert list(wrong_marks(language, forms)) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_one_term_for_one_thing_and_one_form_of_address(language: str) -> None:
    messages = [message for message in read(catalogue_path(language)) if message.id]
    pairs = [(str(message.id), form) for message in messages for form in _forms(message)]
    assert [wrong for source, form in pairs for wrong in wrong_terms(language, source, form)] == []


@pytest.mark.parametrize(
    ("language", "source", "form", "complaint"),
    [
        ("pl", "the certificate", "certyfikat", "lacks the term “potwierdzeni”"),
        ("da", "The certificate", "Certifikatet", "lacks the term “bevis”"),
        ("de", "You approved", "Sie haben zugestimmt", "lacks the term “freig"),
        ("uk", "You signed", "Документи, які ви підписали", "by “ви”"),
        ("pl", "You get an email", "Otrzymasz e-mail", "by “Otrzymasz”"),
        ("ar", "Your signature", "سُجّل توقيعكم", "by “توقيعكم”"),
        ("pl", "Sign “{session}”", "Podpisz „{session}”", "a title without a noun"),
        ("uk", "Sign “%(session)s”", "Підписати «%(session)s»", "a title without a noun"),
    ],
)
def test_another_word_is_named(language: str, source: str, form: str, complaint: str) -> None:
    assert [each for each in wrong_terms(language, source, form) if complaint in each]


@pytest.mark.parametrize(
    ("language", "form", "complaint"),
    [
        ("de", "Wählen Sie “{label}”.", "the quotation marks are „“"),
        ("da", 'Fjern "{label}".', "the quotation marks are »«"),
        ("nl", "Kies ‘{label}’.", "the quotation marks are “”"),
        ("fr", "Retirez « {label}\u00a0».", "lacks a no-break space at “«”"),
        ("fr", "Motif : {reason}", "lacks a no-break space at “:”"),
        ("fr", "Merci!", "lacks a no-break space at “!”"),
        ("es", "Hasta {most} MB.", "before a unit"),
        ("he", "עד 25 מ״ב", "before a unit"),
        ("ja", "コード:{code}", "of half width"),
        ("zh-Hans", "请稍候...", "of half width"),
        ("ar", "«{label}»", "lacks the isolate around {label}"),
        ("he", "שלום %(name)s", "lacks the isolate around %(name)s"),
    ],
)
def test_a_mark_of_another_language_is_named(language: str, form: str, complaint: str) -> None:
    others = ["«\u2068{label}\u2069»", "\u2068<%(name)s>\u2069"] if language == "ar" else ["\u2068%(name)s\u2069"]
    assert [each for each in wrong_marks(language, [form, *others]) if complaint in each]
    assert list(wrong_marks(language, others)) == []


def _forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string)


HEAD = 'msgid ""\nmsgstr ""\n"Language: pl\\n"\n"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && '
HEAD += '(n%100<10 || n%100>=20) ? 1 : 2);\\n"\n\n'
SOURCE = f"""{HEAD}msgctxt "pages"\nmsgid "1 page"\nmsgid_plural "{PAGES}"\nmsgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""

msgid "{SAYS}"\nmsgstr ""

msgid "{HELLO}"\nmsgstr ""
"""
WHOLE = f"""{HEAD}# source e6c69085
msgctxt "pages"
msgid "1 page"
msgid_plural "{PAGES}"
msgstr[0] "1 strona"
msgstr[1] "{{count}} strony"
msgstr[2] "{{count}} stron"

# source 1c3365f2
msgid "{SAYS}"
msgstr "Mówi {{name}}"

# source 8778444d
msgid "{HELLO}"
msgstr "Witaj, %(name)s"
"""


def test_a_whole_catalogue_is_accepted_and_read(tmp_path: Path) -> None:
    (tmp_path / "pl.po").write_text(WHOLE, encoding="utf-8")
    catalogue = read_catalogue(tmp_path / "pl.po")

    assert complaints("pl", made(WHOLE), made(SOURCE)) == []
    assert [catalogue.npgettext("pages", "1 page", PAGES, number) for number in (1, 22, 5)] == [
        "1 strona",
        "{count} strony",
        "{count} stron",
    ]
    assert catalogue.gettext(SAYS) == "Mówi {name}"
    assert catalogue.pgettext("elsewhere", "No translation") == "No translation"


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("Mówi {name}", "", f"“{SAYS}” has no translation"),
        ("Mówi {name}", "Mówi", f"“{SAYS}” lacks name"),
        ("Mówi {name}", "Mówi {nazwa} {name}", f"“{SAYS}” has nazwa, which the source does not have"),
        ("Mówi {name}", "Mówi {name", f"“{SAYS}” has a broken placeholder"),
        ("Mówi {name}", "Mówi <b>{name}</b>", f"“{SAYS}” has other markup"),
        ("Mówi {name}", " Mówi {name}", f"“{SAYS}” begins or ends with other spaces"),
        ("Witaj, %(name)s", "Witaj, %(name)", f"“{HELLO}” has a broken placeholder (a single %)"),
        ("{count} stron\"", "stron\"", f"pages: “{PAGES}” lacks count: take the placeholder over from the source"),
        ('msgstr[2] "{count} stron"\n', "", f"pages: “{PAGES}” has no translation"),
        (f'msgid "{SAYS}"', f'#, fuzzy\nmsgid "{SAYS}"', f"“{SAYS}” is fuzzy"),
        (f'msgid "{SAYS}"', 'msgid "{name} said"', f"“{SAYS}” is missing: run `make catalogues`"),
        (f'msgid "{SAYS}"', 'msgid "{name} said"', "“{name} said” is not in undersign.pot"),
        ("nplurals=3; plural=(n==1 ? 0 : ", "nplurals=3; plural=(n==2 ? 0 : ", "Plural-Forms: write nplurals=3"),
    ],
)  # fmt: skip
def test_each_fault_is_named_with_its_catalogue_and_message(right: str, wrong: str, complaint: str) -> None:
    assert right in WHOLE
    found = complaints("pl", made(WHOLE.replace(right, wrong)), made(SOURCE))

    assert any(
        each.startswith(f"application/translations/pl/LC_MESSAGES/undersign.po: {complaint}") for each in found
    ), found
