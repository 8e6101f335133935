"""Runs in other scripts than that of the document's language, which are tagged with a language of their own.

ISO 32000-2, 14.9.2: the value is a BCP 47 tag. If a script is used for several languages, it is `und` (undetermined)
with the script, such as `und-Arab`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from layout.blocks.split_at_spans import text_part
from layout.frames import Text
from layout.text.font_fallback import INVISIBLE
from layout.text.fonts import ShippedFonts
from layout.text.unicode_properties import COMMON, script_of

_FONTS = ShippedFonts()
_LATIN = frozenset({"Latn"})
_KANA = frozenset({"Hira", "Kana"})
_HAN, _HANGUL, _INHERITED = "Hani", "Hang", "Zinh"

_SCRIPTS: Mapping[str, frozenset[str]] = {
    "uk": frozenset({"Cyrl"}),
    "ar": frozenset({"Arab"}),
    "he": frozenset({"Hebr"}),
    "ja": _KANA | {_HAN},
    "zh-Hans": frozenset({_HAN, "Bopo"}),
}
"""The scripts of languages that are not written in Latin letters."""

_LANGUAGES = {
    "Hebr": "he",
    "Grek": "el",
    "Armn": "hy",
    "Geor": "ka",
    "Thai": "th",
    "Laoo": "lo",
    "Khmr": "km",
    "Sinh": "si",
    "Taml": "ta",
    "Hang": "ko",
    "Hira": "ja",
    "Kana": "ja",
}
"""The language of each script that is used for one language only, or nearly so."""


def scripts_of(language: str) -> frozenset[str]:
    """Returns the scripts in which `language` is written, such as `Latn`."""
    return _SCRIPTS.get(language, _LATIN)


def split_at_scripts(texts: Sequence[Text], language: str) -> Iterable[Text]:
    """Splits the texts of a paragraph in `language` where a run of another script begins or ends.

    Each such run has a `language`. Links are kept as they are: an address has no language.
    """
    own = scripts_of(language)
    letters = set(chain.from_iterable(text.text for text in texts))
    if own is _LATIN and all(map(str.isascii, letters)):
        return texts
    others = set(map(script_of, letters)) - COMMON - own
    if not others:
        return texts
    tags = {script: _LANGUAGES.get(script, f"und-{script}") for script in others}
    if _HAN in others and not others.isdisjoint({*_KANA, _HANGUL}):
        tags[_HAN] = "ko" if others.isdisjoint(_KANA) else "ja"  # ideographs among letters of these languages
    return chain.from_iterable([text] if text.link else _split(text, tags) for text in texts)


def _split(text: Text, tags: Mapping[str, str]) -> Iterator[Text]:
    done, end = 0, len(text.text)
    for first, last, language in _runs(text.text, tags):
        if done < first:
            yield text_part(text, done, first, _FONTS)
        part = text if (first, last) == (0, end) else text_part(text, first, last, _FONTS)
        yield part._replace(language=language)
        done = last
    if done == 0:
        yield text
    elif done < end:
        yield text_part(text, done, end, _FONTS)


def _runs(text: str, tags: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yields start, end and language of the runs in a line.

    A run ends with its last letter, or with the spaces after it at the end of the line. Spaces, digits and punctuation
    within it belong to it.
    """
    begin = end = 0
    language: str | None = None
    for at, character in enumerate(text):
        script = script_of(character)
        if script in COMMON:
            if language and end == at and (script == _INHERITED or character in INVISIBLE or character.isalpha()):
                end = at + 1  # a mark on a letter, drawn with it, or a letter of several scripts
            continue
        tag = tags.get(script)
        if tag != language:
            if language:
                yield begin, end, language
            begin, language = at, tag
        end = at + 1
    if language:
        yield begin, len(text) if text[end:].isspace() else end, language
