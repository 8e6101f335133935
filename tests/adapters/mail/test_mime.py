"""Names and subjects of mails arrive as they were written, in headers that every mail program can read."""

import base64
import quopri
import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from adapters.mail.mime import to_mime
from domain.ports.mail import Mail

_ENCODED_WORD = re.compile(r"=\?utf-8\?([bq])\?([^?]*)\?=", re.IGNORECASE)
_CHARACTERS = st.sampled_from("aZé 7,.“”عقدإيجارالשלוםкоп髙橋直子、（）\u00a0\u202f")
_WORDS = st.text(_CHARACTERS, min_size=1, max_size=120).filter(lambda text: text.strip(" "))


def mail(subject: str, name: str) -> Mail:
    return Mail(
        message_id="1@example.com", to_name=name, to_email="to@example.com", from_name=name, subject=subject, text="t",
        html="<p>t</p>", sent_at=datetime(2027, 1, 3, tzinfo=UTC), reply_to=None, unsubscribe=None,
    )  # fmt: skip


def decode(value: str) -> str:
    """Decodes a header by RFC 2047: spaces between two encoded words are no part of the text (6.2)."""
    unfolded = re.sub(r"\r\n(?=[ \t])", "", value)
    joined = re.sub(r"(=\?utf-8\?[bq]\?[^?]*\?=)[ \t]+(?==\?)", r"\1", unfolded, flags=re.IGNORECASE)

    def decoded(word: re.Match[str]) -> str:
        text = word[2].replace("_", " ").encode()
        return (base64.b64decode(text) if word[1].lower() == "b" else quopri.decodestring(text)).decode()

    return _ENCODED_WORD.sub(decoded, joined)


def headers(content: bytes) -> dict[str, str]:
    head = content.partition(b"\r\n\r\n")[0].decode("ascii")
    lines = re.sub(r"\r\n(?=[ \t])", "\0", head).split("\r\n")
    return {name: value.replace("\0", "\r\n").strip() for name, _, value in (line.partition(":") for line in lines)}


def as_shown(text: str) -> str:
    return re.sub(" +", " ", text).strip(" ")


@given(_WORDS, _WORDS)
def test_no_space_of_a_subject_or_a_name_is_lost_and_no_line_is_too_long(subject: str, name: str) -> None:
    content = to_mime(mail(subject, name), "service@example.com").content
    head = headers(content)

    assert decode(head["Subject"]) == as_shown(subject)
    shown = decode(head["From"]).removesuffix("<service@example.com>").strip(" ")
    assert shown.removeprefix('"').removesuffix('"') == as_shown(name)
    assert max(map(len, content.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= 78 or name.isascii()


def test_a_no_break_space_stays_in_the_subject() -> None:
    assert decode(headers(to_mime(mail("À signer\u00a0: Bail", "Ada"), "s@example.com").content)["Subject"]) == (
        "À signer\u00a0: Bail"
    )


def test_a_name_of_special_characters_is_quoted() -> None:
    head = headers(to_mime(mail("Hello", 'Ada "A", Lovelace'), "s@example.com").content)

    assert head["To"] == '"Ada \\"A\\", Lovelace" <to@example.com>'
