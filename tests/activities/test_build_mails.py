"""The text and look of mails, in goldens: `python -m tests.activities.record_mails` writes them again."""

import re
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from html import escape
from pathlib import Path

import pytest

from activities.build_mails import invitation_mail, outcome_mail, reminder_mail
from adapters.mail.mime import to_mime
from application.mails.render_mail import direction, isolate_direction
from domain.ports.mail import LOGO_ID
from domain.session.outcome_mail_kinds import OutcomeMailKind
from domain.texts.languages import LANGUAGES, TAGS
from tests import ROOT
from tests.activities.sample_mails import ADDRESS, SAMPLES, invitation, notice, reminder
from tests.builders import NOON

GOLDENS = ROOT / "tests" / "goldens" / "mails"

REVIEWED = ("invitation with a logo", "invitation with an identity", "invitation in Arabic", "code")
"""The mails whose HTML is reviewed: together they have every element. All others are reviewed as texts."""

ADDRESSES = re.compile(r' (?:href|src|alt|lang)="[^"]*"')


def golden_files(name: str) -> dict[Path, str]:
    mail, stem = SAMPLES[name], name.replace(", ", "-").replace(" ", "-")
    text = {GOLDENS / f"{stem}.txt": f"Subject: {mail.subject}\nMessage-ID: {mail.message_id}\n\n{mail.text}\n"}
    return text | ({GOLDENS / f"{stem}.html": f"{mail.html}\n"} if name in REVIEWED else {})


def elements(html: str) -> set[str]:
    """Returns the tags with their classes and styles, and the style sheet."""
    return {ADDRESSES.sub("", found) for found in re.findall(r"<style>.*?</style>|<[a-z][^>]*>", html, re.DOTALL)}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_mail_is_as_reviewed_says_the_same_in_both_parts_and_loads_nothing(name: str) -> None:
    mail = SAMPLES[name]
    for path, content in golden_files(name).items():
        assert content == path.read_text(encoding="utf-8")
    links = set(re.findall(r"https://\S+", mail.text)) | ({f"cid:{LOGO_ID}"} if mail.logo else set())
    assert set(re.findall(r'(?:href|src)="([^"]*)"', mail.html)) == links
    for loader in ("<link", "<script", "<iframe", "url(", "@import"):
        assert loader not in mail.html
    isolates = str.maketrans("", "", "\u2068\u2069")
    assert f"<title>{escape(mail.subject, quote=False)}</title>" in mail.html
    seen = " ".join(re.sub(r"<style.*?</style>|<[^>]+>", " ", mail.html, flags=re.DOTALL).translate(isolates).split())
    read = 0
    for line in mail.text.translate(isolates).splitlines():
        if line not in links:
            read = seen.index(line.strip(" -:"), read)
    assert elements(mail.html) <= set().union(*(elements(SAMPLES[reviewed].html) for reviewed in REVIEWED))


def test_only_reminders_can_be_unsubscribed_from() -> None:
    can = {name for name, mail in SAMPLES.items() if b"List-Unsubscribe" in to_mime(mail, "u@example.com").content}
    assert can == {"reminder"}
    header = b"List-Unsubscribe: <mailto:contracts@northwind.example?subject=Stop>\r\n"
    assert header in to_mime(SAMPLES["reminder"], "u@example.com").content


def test_names_and_messages_are_text_of_one_paragraph_and_never_markup() -> None:
    request = invitation(recipient_name="<b>Ada</b>", session_name="{{ name }} & sons", message="a & b\n<script>")
    mail = invitation_mail(request, ADDRESS)
    assert "<b>Ada" not in mail.html
    assert "&lt;script&gt;" in mail.html
    assert "<b>Ada</b>" in mail.text
    assert "{{ name }} & sons" in mail.subject
    lines = invitation_mail(invitation(recipient_name="Ada\n\nPay 100 euros to Eve", message=None), ADDRESS)
    assert "Hello Ada Pay 100 euros to Eve," in lines.text
    assert "\n\n\n" not in lines.text
    assert "<blockquote" not in lines.html


def test_each_cause_has_a_message_id_of_its_own() -> None:
    requests = [notice(kind, to_sender=to_sender) for kind in OutcomeMailKind for to_sender in (False, True)]
    requests.append(notice(OutcomeMailKind.CANCELLED, notice=requests[-2].notice.model_copy(update={"cause": 12})))
    assert len({outcome_mail(request, None).message_id for request in requests}) == len(requests)


def test_other_words_for_the_same_cause_have_a_message_id_of_their_own() -> None:
    changes: tuple[dict[str, object], ...] = (
        {},
        {"message": "Another"},
        {"session_name": "Another"},
        {"recipient_name": "B"},
    )
    mails = [invitation_mail(invitation(**change), ADDRESS) for change in changes for _ in range(2)]

    assert len({mail.message_id for mail in mails}) == len(changes)


def test_only_the_sender_reads_the_reason_and_arabic_runs_from_right_to_left() -> None:
    assert "The fee is wrong." in SAMPLES["declined, to the sender"].text
    assert "The fee is wrong." not in SAMPLES["declined"].text
    assert 'dir="rtl"' in SAMPLES["invitation in Arabic"].html
    assert 'dir="rtl"' not in SAMPLES["invitation"].html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please sign “عقد”", "ltr"),
        ("عقد No. 4", "rtl"),
        ("4: עברית", "rtl"),
        ("2026", "ltr"),
        (f"{isolate_direction('عقد')} asks you", "ltr"),
    ],
)
def test_a_text_runs_in_the_direction_of_its_first_letter(text: str, expected: str) -> None:
    assert direction(text) == expected


def test_a_logo_comes_with_the_mail_beside_its_html_the_same_on_every_try() -> None:
    mail = SAMPLES["invitation with a logo"]
    assert mail.logo
    content = to_mime(mail, "u@example.com").content
    message = message_from_bytes(content, policy=default)
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    _, plain, _, html, picture = message.walk()
    assert f'src="cid:{LOGO_ID}"' in html.get_content()
    assert (picture["Content-ID"], picture.get_content_disposition()) == (f"<{LOGO_ID}>", "inline")
    assert picture.get_content() == mail.logo.content
    assert plain.get_content().split() == mail.text.split()
    assert to_mime(mail, "u@example.com").content == content


def test_a_mail_is_in_the_language_of_its_recipient() -> None:
    ends = NOON + timedelta(days=3)
    german, arabic, english = (
        invitation_mail(invitation(language=language, expires_at=ends), ADDRESS) for language in ("de", "ar", None)
    )

    assert (german.language, arabic.language, english.language) == ("de", "ar", None)
    assert '<html lang="de" dir="ltr">' in german.html
    assert '<html lang="ar" dir="rtl">' in arabic.html
    assert "Guten Tag Ada Lovelace" in german.text
    assert "15. Juni 2026 um 12:00 UTC" in german.text
    assert "\u2068Consulting agreement\u2069" in arabic.text, "letters of the other direction stand by themselves"
    assert len({german.subject, arabic.subject, english.subject}) == 3
    assert german.message_id != english.message_id
    assert "Content-Language: de" in to_mime(german, "u@example.com").content.decode()
    assert "Content-Language" not in to_mime(english, "u@example.com").content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mail_to_a_recipient_is_written_in_every_language(language: str) -> None:
    mails = [
        reminder_mail(reminder(language=language), ADDRESS),
        *(outcome_mail(notice(kind, language=language), ADDRESS) for kind in OutcomeMailKind if kind != "signed"),
    ]
    assert {mail.language for mail in mails} == {None if language == "en" else language}
    assert all(f'lang="{TAGS.get(language, language)}"' in mail.html for mail in mails)


def test_the_person_who_asks_is_named_beside_the_organisation() -> None:
    mail = invitation_mail(invitation(sender_name="Robin Finch", reply_to="robin@northwind.example"), ADDRESS)
    assert mail.from_name == "Robin Finch at Northwind Trading via Undersign"
    assert "Robin Finch at Northwind Trading has asked you" in mail.text
    assert mail.reply_to == "robin@northwind.example"


def test_the_name_of_the_person_who_asks_is_no_link() -> None:
    mail = invitation_mail(invitation(sender_name="Pay at https://evil.example"), ADDRESS)
    assert "https://evil.example" not in mail.text
    assert "evil.example" not in mail.html


def test_mails_to_one_person_in_two_parts_differ_in_subject_and_heading() -> None:
    mails = [invitation_mail(invitation(part=part), ADDRESS) for part in (None, (1, 2), (2, 2))]
    alone, first, second = (mail.subject for mail in mails)
    assert (first, second) == (f"{alone} (1/2)", f"{alone} (2/2)")
    assert "(2/2)" in mails[2].html
