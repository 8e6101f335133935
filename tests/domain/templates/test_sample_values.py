"""Sample values for previews."""

from domain.templates.variables import Variable, VariableType, sample_values


def test_a_sample_is_the_default_or_plausible_for_its_type() -> None:
    variables = [
        Variable(name="tenant", display_name="Tenant’s name"),
        Variable(name="street_name"),
        Variable(name="rent", type=VariableType.NUMBER),
        Variable(name="deposit", type=VariableType.NUMBER, default_value="900"),
        Variable(name="start", type=VariableType.DATE),
        Variable(name="end", type=VariableType.DATE, default_value="2027-06-30", date_format="DD/MM/YYYY"),
    ]
    assert sample_values(variables) == {
        "tenant": "Tenant’s name", "street_name": "street name", "rent": "1,250.00", "deposit": "900",
        "start": "2027-03-15", "end": "30/06/2027",
    }  # fmt: skip
