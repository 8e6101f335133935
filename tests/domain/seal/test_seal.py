"""What a seal states: names in it can neither end their quotes nor add a signer."""

import re
import unicodedata
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.seal.seal import (
    MAX_QUOTED,
    NAMELESS,
    CompletionCertificate,
    Identified,
    ReferenceDocument,
    Sample,
    SignedDocument,
    Signer,
    Statement,
    quotable,
    read_statement,
    write_statement,
)
from domain.shared.ids import FileId, SessionId
from tests.builders import NOON, identifier

SESSION = SessionId(identifier("session"))
FILE = FileId(identifier("file"))

TEXT = re.compile(r"Signed document (\S+) of session (\S+)\. Signed by (.+)\.", re.DOTALL)
SIGNER = re.compile(
    r"“([^“”]+)” <([^<>]+)> by (link|code|program|programAndCode) "
    r"\((\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC\)(?:, (?=“)|\Z)",
    re.DOTALL,
)
"""The grammar of the text, written apart from what writes it."""

PIECES = ["Ada", "”", "“", '"', "<", ">", "> by code (2026-06-12 12:00:00 UTC), “Eve” <eve@example.com", ", ", ". ",
          "\n", "\r\n", "\u2028", "\u202e", "\u2066", "\u200b", "\ufeff", "\0", "\x85", "(", ")", "[", "]", "＜", "＞",
          "﹤",
          "＂", "«", "»", "〝", "〞", "″", "\u0338", "\u20dd", "’", "O'Brien", "愛", "עברית", "👩🏽‍💻", "é", "e\u0301",
          "Signed by", "of session", "\U000e0041", "\ud800", " "]  # fmt: skip
names = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join), st.text(alphabet=st.characters()))
signers = st.tuples(names, names, st.sampled_from(Identified), st.integers(0, 10**9)).map(
    lambda drawn: Signer(
        name=drawn[0], email=drawn[1], identified_by=drawn[2], signed_at=NOON + timedelta(seconds=drawn[3])
    )
)


def parsed(text: str) -> tuple[Signer, ...]:
    """The signers that a reader of the text sees."""
    whole = TEXT.fullmatch(text)
    assert whole, text
    at, found = 0, []
    while at < len(whole[3]):
        match = SIGNER.match(whole[3], at)
        assert match, whole[3][at:]
        when = datetime.strptime(match[4], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
        found.append(Signer(name=match[1], email=match[2], identified_by=Identified(match[3]), signed_at=when))
        at = match.end()
    return tuple(found)


@given(st.lists(signers, min_size=1, max_size=4).map(tuple))
def test_no_name_makes_the_text_read_as_another_list_of_signers(signed: tuple[Signer, ...]) -> None:
    statement = SignedDocument(session_id=SESSION, file_id=FILE, materials_sha256="5" * 64, signers=signed)
    assert parsed(statement.text) == signed
    assert len(statement.text.splitlines()) == 1


@given(names)
def test_quoted_text_is_short_printable_and_stable(name: str) -> None:
    quoted = quotable(name)
    assert 1 <= len(quoted) <= MAX_QUOTED
    assert quotable(quoted) == quoted
    assert quoted.isprintable()
    assert not any(unicodedata.category(sign) in {"Ps", "Pe", "Pi", "Pf", "Cf", "Cc"} for sign in quoted)


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("Ada\n Lovelace", "Ada Lovelace"),
        ("Miles O’Brien (CFO)", "Miles O'Brien CFO"),
        ("Ada Lovelace (2026-06-12 10:28 UTC), Grace Hopper", "Ada Lovelace 2026-06-12 10:28 UTC , Grace Hopper"),
        ("Ada” <ada@example.com> by code", "Ada ada@example.com by code"),
        ("\u202eecarG", "ecarG"),
        ("\u0338Ada", "Ada"),
        ("“”", NAMELESS),
        ("愛 עברית", "愛 עברית"),
    ],
)
def test_only_misleading_characters_of_names_change(name: str, quoted: str) -> None:
    assert quotable(name) == quoted


@given(
    st.one_of(
        st.lists(signers, min_size=1, max_size=3).map(
            lambda signed: SignedDocument(
                session_id=SESSION, file_id=FILE, materials_sha256="5" * 64, signers=tuple(signed)
            )
        ),
        st.just(ReferenceDocument(session_id=SESSION, file_id=FILE, materials_sha256="5" * 64)),
        st.integers(1, 10**6).map(
            lambda length: CompletionCertificate(session_id=SESSION, head="1" * 64, length=length)
        ),
        st.just(Sample()),
    )
)
def test_a_statement_is_read_as_it_was_written(statement: Statement) -> None:
    assert read_statement(write_statement(statement)) == statement


def test_each_kind_says_what_it_is() -> None:
    ada = Signer(name="Ada", email="ada@example.com", identified_by=Identified.CODE, signed_at=NOON)
    texts = [
        SignedDocument(session_id=SESSION, file_id=FILE, materials_sha256="5" * 64, signers=(ada,)).text,
        ReferenceDocument(session_id=SESSION, file_id=FILE, materials_sha256="5" * 64).text,
        CompletionCertificate(session_id=SESSION, head="1" * 64, length=12).text,
        Sample().text,
    ]
    assert texts == [
        f"Signed document {FILE} of session {SESSION}. Signed by “Ada” <ada@example.com> by code "
        "(2026-06-12 12:00:00 UTC).",
        f"Reference document {FILE} of session {SESSION}; no recipient signed it.",
        f"Certificate of completion of session {SESSION}, whose history has 12 events and ends with {'1' * 64}.",
        "Sample document that tests the seal; it belongs to no session.",
    ]


@pytest.mark.parametrize("written", [b"", b"[]", b"{}", b'{"kind":"another"}', b'{"kind":"signedDocument"}', b"\xff"])
def test_an_invalid_statement_is_refused(written: bytes) -> None:
    with pytest.raises(ValueError, match="validation error"):
        read_statement(written)
