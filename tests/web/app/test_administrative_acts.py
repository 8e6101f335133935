"""Each form of administrators is recorded: who changed what, from where, without secrets."""

import pytest

from domain.ports.database import User
from domain.shared.ids import UserId
from domain.shared.roles import Role
from tests.api.service import OWN
from tests.builders import ORGANISATION, identifier
from tests.web.app.office import ADA, Office, Visitor
from tests.web.app.test_app_router import ADMINISTRATION

IDA = User(UserId(identifier("ida")), ORGANISATION, "ida@northwind.example", "Ida Rhodes", Role.SENDER)
CLIENT, USER = f"/app/organisation/clients/{OWN.client_id}", f"/app/organisation/users/{IDA.user_id}"

FORMS = {
    "/app/organisation/users/new": {"name": "Joan", "email": "joan@x.example", "role": "viewer"},
    "/app/organisation/users/{user_id}": {"name": "Ida Smith", "role": "viewer"},
    "/app/organisation/clients/new": {"name": "Shop", "scope": "read:sessions"},
    "/app/organisation/clients/{client_id}/scopes": {"scope": "read:sessions"},
    "/app/organisation/clients/{client_id}/limit": {"per_day": "7", "domains": "example.com"},
    "/app/organisation/settings": {"name": "South", "time_zone": "UTC", "frame_origins": "", "language": ""},
    "/app/organisation/appearance": {"accent": "#0d665f"},
    "/app/organisation/webhooks/resume": {"receiver": "https://x.example:443"},
}
UNRECORDED = {
    "/app/organisation/webhooks/secret",  # shows a secret, and changes nothing
    "/app/organisation/webhooks/test",  # changes nothing
    "/app/organisation/webhooks/redeliver",  # stands in the log of callbacks, as redelivery from the session's page
    "/app/organisation/appearance/logo",  # an upload: tested with the page
    "/app/organisation/users/{user_id}/invite",  # an open invitation: tested with invitations
    "/app/organisation/users/{user_id}/withdraw",  # an open invitation: tested with invitations
}
PATHS = sorted({path for method, path in ADMINISTRATION if method == "POST"} - UNRECORDED)


@pytest.mark.parametrize("path", PATHS)
async def test_each_change_of_an_administrator_is_recorded(office: Office, ada: Visitor, path: str) -> None:
    await office.service.users.add(IDA)
    there = path.format(user_id=IDA.user_id, client_id=OWN.client_id)

    answer = await ada.press(there, **FORMS.get(path, {}))

    assert answer.status_code in {200, 201, 303}, answer.text
    assert "error" not in answer.headers.get("location", "")
    [act, *_] = await office.service.acts.list(ORGANISATION, 5)
    assert (act.actor_kind, act.actor_id, act.ip) == ("user", ADA.user_id, "192.0.2.7")
    if "_id}" in path:
        assert act.change.about in there
    for values in (act.change.before, act.change.after):
        assert not any("secret" in name.lower() for name in values)


async def test_a_record_holds_what_differs(office: Office, ada: Visitor) -> None:
    await office.service.users.add(IDA)
    await ada.press(USER, name=IDA.name, role="viewer")
    await ada.press(f"{CLIENT}/limit", **FORMS["/app/organisation/clients/{client_id}/limit"])
    limit, role = await office.service.acts.list(ORGANISATION, 2)
    assert (dict(role.change.before), dict(role.change.after)) == ({"role": "sender"}, {"role": "viewer"})
    assert limit.change.before == {"recipients_per_day": None, "domains": []}
    assert limit.change.after == {"recipients_per_day": 7, "domains": ["example.com"]}
