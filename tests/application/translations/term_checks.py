"""What is wrong with the words of a translation: other terms, another form of address, titles that need a case."""

import re
from collections.abc import Iterator

_TERMS = {
    "certificate": {
        "de": "zertifikat",
        "fr": "attestation",
        "es": "certificado",
        "it": "certificato",
        "pt": "certificado",
        "nl": "certifica",
        "pl": "potwierdzeni",
        "da": "bevis",
        "sv": "intyg",
        "uk": "протокол",
        "ar": "شهاد",
        "he": "תעוד",
        "ja": "証明書",
        "zh-Hans": "证明",
    },
    "approv": {
        "de": r"freig|freizug|\bfrei\b",
        "fr": "appro[bu]",
        "es": "apr[ou][eé]?b",
        "it": "approv",
        "pt": "aprov",
        "nl": "goed",
        "pl": "zatwierd",
        "da": "godken",
        "sv": "godkän",
        "uk": "погод",
        "ar": "عتم",
        "he": "איש|אש[רו]|אושר",
        "ja": "承認",
        "zh-Hans": "批准",
    },
}
"""The beginning of an English word, and of the one term for it in each language."""

_ADDRESS_CAPTION = re.compile(r"\bApproved from\b")
"""A caption of an address, which some languages call by its technical name."""

_OTHER_ADDRESS = {
    "de": r"\b(du|dir|dich|dein\w*)\b",
    "fr": r"\b(tu|toi|ton|tes)\b",
    "es": r"\b(tú|tus|ti)\b",
    "it": r"\b(tuo|tua|tuoi|tue|lei)\b",
    "nl": r"\b(je|jij|jouw)\b",
    "pl": r"\b([Tt]w[oó]j\w*|[Cc]iebie|[Tt]obie|\w{3,}[ae]sz)\b",
    "uk": r"\b(ви|вас|вам|ваш\w*)\b",
    "ar": r"\w{3,}كم\b",
}
"""The form of address that a language does not use here: familiar, without its capital, or of several people."""

_TITLE = {"pl": r"(?<!\w)„(?:%\(session\)s|{session})”", "uk": r"«(?:%\(session\)s|{session})»"}
_HEAD = {"pl": r"(?:dokument\w*|podpis) $", "uk": r"(?:документ\w*|підпис) $"}
"""Titles cannot be declined, so a noun before them takes the case, unless they begin a sentence."""


def wrong_terms(language: str, source: str, form: str) -> Iterator[str]:
    """Yields what is wrong with the words of `form`, a translation of `source`."""
    for word, terms in _TERMS.items():
        used = re.search(word, source, re.IGNORECASE) and not _ADDRESS_CAPTION.search(source)
        if used and not re.search(terms[language], form, re.IGNORECASE):
            yield f"“{form}” lacks the term “{terms[language]}”"
    if language in _OTHER_ADDRESS and (found := re.search(_OTHER_ADDRESS[language], form)):
        yield f"“{form}” addresses people by “{found[0]}”"
    for title in re.finditer(_TITLE[language], form) if language in _TITLE else ():
        before = form[: title.start()]
        if before and not re.search(_HEAD[language], before, re.IGNORECASE):
            yield f"“{form}” has a title without a noun before it"
