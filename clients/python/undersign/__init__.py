"""The Python client of the API: `Client`, and `AsyncClient` for asyncio.

with Client("http://127.0.0.1:8080", client_id, client_secret) as undersign:
    session = undersign.create_session({"name": "Lease", "files": [...], "recipients": [...]})
    undersign.send_session(session.session_id)
    undersign.wait_until_generated(session.session_id)
    for entry in undersign.list_documents(session.session_id).documents:
        Path(entry.file_name).write_bytes(undersign.download(entry))
"""

from undersign.client import AsyncClient, Client
from undersign.errors import ApiError, ClientError, NeverGenerated, NoResponse
from undersign.retry import RetryPolicy

__all__ = ["ApiError", "AsyncClient", "Client", "ClientError", "NeverGenerated", "NoResponse", "RetryPolicy"]
