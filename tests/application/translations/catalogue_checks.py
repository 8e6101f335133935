"""What is wrong with a catalogue: gaps, placeholders, plural forms and markup, each with what to do."""

import re
from collections.abc import Iterator
from gettext import c2py
from string import Formatter

from babel.messages import Catalog, Message
from babel.messages.plurals import get_plural

from application.translations import catalogue_path
from application.translations.source_marks import mark_of, marks_on

_MARKUP = re.compile(r"<[^>]*>|&\w+;")
_PERCENT = re.compile(r"%\((\w+)\)s|%%|(%)")
_COUNT = "count"
_NUMBERS = range(1_001)


def complaints(language: str, catalogue: Catalog, template: Catalog) -> list[str]:
    """Returns what is wrong with `catalogue`, of which `template` has the messages."""
    path = f"application/translations/{catalogue_path(language).relative_to(catalogue_path(language).parents[2])}"
    found = [_named(message, fault) for message in template if message.id for fault in _faults(message, catalogue)]
    known = {_key(message) for message in template}
    left = [
        message for message in (*catalogue, *catalogue.obsolete.values()) if message.id and _key(message) not in known
    ]
    found += [_named(message, "is not in undersign.pot: run `make catalogues`") for message in left]
    if catalogue.plural_forms != get_plural(str(catalogue.locale)).plural_forms:
        found.append(f"Plural-Forms: write {get_plural(str(catalogue.locale)).plural_forms}")
    return [f"{path}: {each}" for each in found]


def _named(message: Message, fault: str) -> str:
    context = f"{message.context}: " if message.context else ""
    return f"{context}“{_sources(message)[-1]}” {fault}"


def _key(message: Message) -> tuple[str | None, tuple[str, ...]]:
    return message.context, tuple(_sources(message))


def _sources(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def _faults(message: Message, catalogue: Catalog) -> Iterator[str]:
    ours = catalogue.get(message.id, message.context)
    if ours is None or _key(ours) != _key(message):
        yield "is missing: run `make catalogues`, and translate it"
        return
    if ours.fuzzy:
        yield "is fuzzy: correct the translation, and remove the flag"
    forms = [ours.string] if isinstance(ours.string, str) else list(ours.string)
    if all(forms) and not ours.fuzzy and marks_on(ours) != [mark_of(ours)]:
        yield "is not marked as the source of its translation: run `make catalogues`, and correct what becomes fuzzy"
    if ours.pluralizable and len(forms) != catalogue.num_plurals:
        yield f"has {len(forms)} plural forms: write {catalogue.num_plurals}"
    for number, form in enumerate(forms):
        if form:
            which = f" in msgstr[{number}]" if ours.pluralizable else ""
            optional = {_COUNT} if ours.pluralizable and _stands_for_one_number(catalogue, number) else set()
            yield from (fault + which for fault in _faults_of_form(message, form, optional))
        else:
            yield "has no translation"


def _faults_of_form(message: Message, form: str, optional: set[str]) -> Iterator[str]:
    source = _sources(message)[-1]
    try:
        expected, written = _placeholders(source, message), _placeholders(form, message)
    except ValueError as error:
        yield f"has a broken placeholder ({error}): write placeholders as the source has them"
        return
    if lost := expected - written - optional:
        yield f"lacks {_list(lost)}: take the placeholder over from the source"
    if strange := written - expected:
        yield f"has {_list(strange)}, which the source does not have"
    if sorted(_MARKUP.findall(source)) != sorted(_MARKUP.findall(form)):
        yield "has other markup than the source"
    if (form[0].isspace(), form[-1].isspace()) != (source[0].isspace(), source[-1].isspace()):
        yield "begins or ends with other spaces than the source"
    if "\n" in form:
        yield "has a line break"


def _placeholders(text: str, message: Message) -> set[str]:
    """Returns the names in `{}` or `%()s`, whichever the source has. Raises `ValueError` for a broken one."""
    if any("%(" in source for source in _sources(message)):
        if any(match[2] for match in _PERCENT.finditer(text)):
            raise ValueError("a single %")
        return {match[1] for match in _PERCENT.finditer(text) if match[1]}
    parts = list(Formatter().parse(text))
    if any(spec or conversion for _, _, spec, conversion in parts):
        raise ValueError("a format")
    return {name for _, name, _, _ in parts if name is not None}


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "an empty placeholder"


def _stands_for_one_number(catalogue: Catalog, form: int) -> bool:
    """Returns whether a form is used for one number only, so that it may leave the number out."""
    form_of = c2py(catalogue.plural_expr)
    return sum(form_of(number) == form for number in _NUMBERS) == 1
