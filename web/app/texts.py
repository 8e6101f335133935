"""Every word of the app, one catalogue per language. Templates and routes take them from here only."""

from collections.abc import Mapping

from web.app.consent_texts import ConsentTexts
from web.app.session_texts import SessionTexts
from web.texts import Notice


class AppTexts(ConsentTexts, SessionTexts):
    """The words in English: the frame, the way in, and what goes wrong. Braces are filled in."""

    language: str = "en"
    product: str = "Undersign"
    nav: str = "Main"
    sessions: str = "Sessions"
    templates: str = "Templates"
    organisation: str = "Organisation"
    sign_out: str = "Sign out"
    signed_in_as: str = "Signed in as {name}, {organisation}"

    sign_in_title: str = "Sign in"
    sign_in_intro: str = "Give your email address, and a link that signs you in is sent to you. There is no password."
    sign_in_needed: str = "Sign in to go on. You are led to the page that you asked for."
    signed_out_now: str = "You are signed out."
    email_label: str = "Email address"
    email_missing: str = "Give a whole email address, such as ada@example.com."
    send_link: str = "Send me a link"
    no_account: str = "People are added by whoever runs this service; ask them if you have no access."

    sent_title: str = "Look into your mail"
    sent_body: str = (
        "If {email} belongs to somebody of an organisation here, a link is on its way. It works once, for 15 minutes."
    )
    sent_nothing: str = "Nothing after a minute? Look among unwanted mail, then ask again."
    sent_outbox: str = "This installation sends no mails. They are in its outbox"
    sent_again: str = "Ask again"

    enter_title: str = "Welcome, {name}"
    enter_body: str = "One press of the button, and you are in. This link works once."
    enter_choice: str = "You belong to several organisations. Choose one; this link works once."
    enter: str = "Sign in to {organisation}"

    to_start: str = "To the sessions"
    not_found: Notice = Notice(
        "Nothing here",
        "There is nothing at this address, or it is not your organisation's. It may also have been deleted for ever.",
    )
    unavailable: Notice = Notice(
        "One moment, please",
        "The service cannot reach one of its engines right now. Nothing was lost; load the page again in a minute.",
    )
    not_ready: Notice = Notice(
        "Not ready yet", "Signing has not finished, or the signed document is still being prepared. Look again shortly."
    )
    documents_differ: Notice = Notice(
        "No certificate",
        "A signed PDF of this session is lost, or was not made from what its recipients entered, so there is no "
        "certificate. Tell the operator of the service.",
    )
    history_not_whole: Notice = Notice(
        "No certificate can be made",
        "The history of this session in the database is not the one that its record tells of. Trying again does not "
        "help: have your operator run “undersign verify --session”.",
    )
    link_used: Notice = Notice(
        "This link does not work any more",
        "It was used already, or its 15 minutes are over. Ask for a new one: it takes a moment.",
    )
    cross_site: Notice = Notice(
        "Not accepted", "This came from another website, so nothing was done. Open the page here and try again."
    )
    form_out_of_date: Notice = Notice(
        "Nothing was done",
        "The page that this came from belongs to an earlier sign-in. Open the page again, then press the button once "
        "more.",
    )
    form_not_form: Notice = Notice("Not understood", "What was sent is not a form of ours, so nothing was done.")
    too_many: Notice = Notice("One moment", "There were very many requests. Wait a minute, then try again.")


CATALOGUE: Mapping[str, AppTexts] = {"en": AppTexts()}
"""By primary language subtag; the first is what everybody else gets."""


def app_texts_for(accept_language: str) -> AppTexts:
    """The catalogue for an `Accept-Language` header: the first language named there that we have."""
    wanted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in accept_language.split(","))
    return next((CATALOGUE[language] for language in wanted if language in CATALOGUE), next(iter(CATALOGUE.values())))
