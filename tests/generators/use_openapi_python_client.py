import json
import os

from undersign_client import AuthenticatedClient
from undersign_client.api.sessions import create_session, get_session, list_sessions
from undersign_client.models import ErrorRead, SessionCreate, SessionCreated, SessionsRead, SessionStatus

client = AuthenticatedClient(os.environ["BASE_URL"], os.environ["ACCESS_TOKEN"])
made = create_session.sync(client=client, body=SessionCreate.from_dict(json.loads(os.environ["BODY"])))
assert isinstance(made, SessionCreated)
listed = list_sessions.sync(client=client, status=[SessionStatus.DRAFT], metadata=["customer:northwind"])
assert isinstance(listed, SessionsRead)
missing = get_session.sync("17", client=client)
assert isinstance(missing, ErrorRead)
ids = {session.session_id for session in listed.sessions}
answer = {"made": str(made.session_id), "isListed": made.session_id in ids, "code": missing.error.value}
print(json.dumps(answer))  # noqa: T201
