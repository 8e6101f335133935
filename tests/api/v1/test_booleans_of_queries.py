"""A boolean of a query is `true` or `false`, and nothing that reads like one of them."""

import pytest

from tests.api.belongings import make_belongings, stored
from tests.api.operations import SECURED, Operation
from tests.api.service import OWN, Service, issues_by_path

SWITCHES = [(operation, query.removesuffix("=true")) for operation in SECURED for query in operation.queries[1:]]
SPELLINGS = [
    *("1", "0", "yes", "no", "on", "off", "t", "f", "y", "n", "True", "TRUE", "False", "FALSE", "tRuE"),
    *("", "null", "%20true", "true%20", "true%00", "%EF%BD%94rue", "1.0", "true,false", "[true]", '"true"'),
]


@pytest.mark.parametrize(("operation", "name"), SWITCHES, ids=str)
async def test_other_spellings_are_refused(service: Service, operation: Operation, name: str) -> None:
    mine = await make_belongings(service, OWN)
    before = await stored(service)

    for spelling in SPELLINGS:
        answer = await service.http().request(operation.method, f"{operation.url_on(mine)}{name}={spelling}")

        assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST"), spelling
        assert issues_by_path(answer) == {f"/{name.removeprefix('?')}": "Write true or false."}
    assert await stored(service) == before


@pytest.mark.parametrize(("operation", "name"), SWITCHES, ids=str)
@pytest.mark.parametrize("spelling", ["true", "false"])
async def test_true_and_false_are_taken(service: Service, operation: Operation, name: str, spelling: str) -> None:
    mine = await make_belongings(service, OWN)

    answer = await service.http().request(operation.method, f"{operation.url_on(mine)}{name}={spelling}")

    assert answer.status_code == 200
