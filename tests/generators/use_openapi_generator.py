import json
import os

from openapi_client import ApiClient, Configuration, SessionsApi
from openapi_client.exceptions import NotFoundException
from openapi_client.models.error_read import ErrorRead
from openapi_client.models.session_create import SessionCreate
from openapi_client.models.session_status import SessionStatus

configuration = Configuration(host=os.environ["BASE_URL"], access_token=os.environ["ACCESS_TOKEN"])
body = SessionCreate.from_json(os.environ["BODY"])
assert body is not None
with ApiClient(configuration) as client:
    sessions = SessionsApi(client)
    made = str(sessions.create_session(body).session_id)
    listed = sessions.list_sessions(status=[SessionStatus.DRAFT], metadata=["customer:northwind"]).sessions
    try:
        sessions.get_session("17")
    except NotFoundException as error:
        refused = ErrorRead.from_json(error.body or "")
assert refused is not None
ids = {str(session.session_id) for session in listed}
print(json.dumps({"made": made, "isListed": made in ids, "code": refused.error.value}))  # noqa: T201
