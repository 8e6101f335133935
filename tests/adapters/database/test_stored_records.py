"""Records and their columns."""

from dataclasses import dataclass

import pytest

from adapters.database.stored_records import stored_fields
from adapters.database.tables.organisations import OrganisationRow
from domain.ports.database import Organisation


@dataclass(frozen=True)
class Branded(Organisation):
    brand: str = "none"


def test_a_field_without_a_column_is_an_error_at_start() -> None:
    with pytest.raises(TypeError, match=r"OrganisationRow has no column for brand of Branded\."):
        stored_fields(Branded, [OrganisationRow])


def test_a_field_that_the_repository_passes_needs_no_column() -> None:
    assert "brand" not in stored_fields(Branded, [OrganisationRow], "brand")
