"""Names made of labels: letters, digits, underscores and hyphens, one for each label. Specification 2.8 (name)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.schema.field_names import field_names, slug
from tests.layout.documents import document, text_field


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Purchase order", "purchase-order"),
        ("Données d’accès", "donnees-d-acces"),
        ("  VAT no. (EU)  ", "vat-no-eu"),
        ("Straße", "strasse"),
        ("Łódź", "lodz"),
        ("Smørrebrød", "smorrebrod"),
        ("Þórsdóttir", "thorsdottir"),
        ("Địa chỉ", "dia-chi"),
        ("½ day", "1-2-day"),
    ],
)
def test_a_name_is_a_slug_of_the_label(label: str, name: str) -> None:
    assert slug(label) == name


@pytest.mark.parametrize("label", ["Имя", "名前", "…", "الاسم", "Имя (name)", "x" * 65])
def test_what_a_slug_cannot_tell_ends_in_a_hash(label: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+-[0-9a-f]{8}", slug(label))


def test_labels_of_other_scripts_have_names_of_their_own() -> None:
    labels = ["Имя", "Адрес", "Имя 1", "Адрес 1", "…", "—", "x" * 65, "x" * 66]
    assert len({slug(label) for label in labels}) == len(labels)


def test_composed_and_decomposed_letters_have_one_name() -> None:
    assert slug("\u0401лка") == slug("\u0415\u0308лка")


@given(label=st.text(st.characters(codec="utf-8"), min_size=1))
def test_every_slug_is_a_name(label: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", slug(label))
    assert slug(label) == slug(label)


def test_inputs_are_named_by_themselves_or_by_their_labels_in_rows_too() -> None:
    bare = {"fieldType": "text", "label": "First name", "recipient": "client"}
    written = document(
        text_field("Company", name="firm"), {"type": "fieldRow", "fields": [bare, {**bare, "name": "n"}]}
    )
    assert field_names(written) == {
        "/blocks/0": "firm",
        "/blocks/1/fields/0": "first-name",
        "/blocks/1/fields/1": "n",
    }
