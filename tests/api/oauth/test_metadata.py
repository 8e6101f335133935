"""What clients find out by themselves: every address that is named is there."""

import pytest

from application.scopes import Scope
from tests.api.service import BASE_URL
from tests.web.app.office import Office


async def test_the_server_names_its_addresses_and_what_it_takes(office: Office) -> None:
    found = (await office.browser().get("/.well-known/oauth-authorization-server")).json()

    assert found["issuer"] == BASE_URL
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["authorization_response_iss_parameter_supported"] is True
    assert found["grant_types_supported"] == ["client_credentials", "authorization_code", "refresh_token"]
    for name in ("token_endpoint", "registration_endpoint", "revocation_endpoint"):
        assert (await office.browser().post(found[name])).status_code in {400, 401}, name
    assert (await office.browser().get(found["authorization_endpoint"])).status_code == 400


@pytest.mark.parametrize("path", ["/mcp", "/api/v1"])
async def test_a_resource_names_who_issues_tokens_for_it(office: Office, path: str) -> None:
    found = (await office.browser().get(f"/.well-known/oauth-protected-resource{path}")).json()

    assert (found["resource"], found["authorization_servers"]) == (f"{BASE_URL}{path}", [BASE_URL])
    assert found["scopes_supported"] == [scope.value for scope in Scope]
    assert found["bearer_methods_supported"] == ["header"]
