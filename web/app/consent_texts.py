"""The words about programs that people let work for their organisation."""

from collections.abc import Mapping
from typing import NamedTuple

from application.scopes import Scope
from web.texts import Notice


class ScopeText(NamedTuple):
    """What a scope is, in a few words and in a sentence."""

    title: str
    allows: str


class ConsentTexts:
    """The words in English. Braces are filled in: `name` is what the program calls itself."""

    consent_title: str = "Let {name} work for {organisation}?"
    consent_lead: str = (
        "A program that calls itself {name} asks for this. Nobody here has checked that name: go on only if you have "
        "just connected it yourself."
    )
    consent_program: str = "Program"
    consent_leads_to: str = "Leads you back to"
    consent_own_machine: str = "{host}, a program on the device that you are using"
    consent_for: str = "Works for"
    consent_by: str = "With the leave of"
    consent_scopes: str = "What it may do"
    scope_texts: Mapping[Scope, ScopeText] = {
        Scope.READ_SESSIONS: ScopeText(
            "See sessions",
            "All sessions of the organisation: who signs, how far they are, signed documents and certificates.",
        ),
        Scope.WRITE_SESSIONS: ScopeText(
            "Make and send sessions",
            "Draft documents, send them to people by mail, archive and restore.",
        ),
        Scope.DELETE_SESSIONS: ScopeText(
            "Delete sessions for ever",
            "With their documents, signatures and history. Nothing brings them back.",
        ),
        Scope.READ_TEMPLATES: ScopeText("See templates", "All templates of the organisation, with their texts."),
        Scope.WRITE_TEMPLATES: ScopeText("Make templates", "Draft templates, and make them active."),
        Scope.WRITE_FILES: ScopeText("Upload files", "Pictures and PDFs that go into documents."),
        Scope.READ_VALUES: ScopeText(
            "Read what people entered",
            "Everything that recipients fill in and sign: names, dates, account numbers, choices.",
        ),
    }
    scopes_missing: str = "Choose at least one thing that it may do, or do not allow it."
    consent_budget: str = "How far it may go"
    per_day_label: str = "Recipients whom it may mail in a day"
    per_day_hint: str = "Days are those of UTC. Left empty: any number."
    per_day_wrong: str = "Give a whole number from 0 to 100,000, or leave it empty."
    domains_label: str = "Only to addresses at these domains"
    domains_hint: str = "Separated by commas, such as northwind.example. Left empty: any address."
    domains_wrong: str = "“{domain}” is no domain. Give what comes after the @, with commas between, 50 at most."
    consent_allow: str = "Allow"
    consent_deny: str = "Do not allow"
    consent_end: str = "You can end this at any time, on the page of the organisation."
    consent_other: str = "Sign in as somebody else"

    wrong_title: str = "This program asks for something that there is not"
    wrong_body: str = "The program is connected in a way that does not work here. Nothing was done."
    wrong_error: str = "What is wrong"
    wrong_back: str = "Back to {host}"
    not_askable: Notice = Notice(
        "This program is not known here",
        "The address that led you here names a program that has not registered, or leads back to somebody else. "
        "Nothing was done. Connect the program anew.",
    )

    grants: str = "Programs that people let in"
    grants_lead: str = "They work for the organisation with the leave of one of you. End one, and it is out at once."
    grants_none: str = "None. A program asks for leave when you connect it to this service."
    grant_by: str = "Let in by {name},"
    grant_fetched: str = "last heard of"
    grant_any_number: str = "any number of recipients a day"
    grant_number: str = "{count} recipients a day at most"
    grant_spent: str = "{count} today"
    grant_domains: str = "only at {domains}"
    grant_end: str = "End"
