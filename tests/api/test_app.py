"""Applications share their routes and nothing else, and load no drawing engine."""

import gc
import subprocess
import sys
from dataclasses import replace
from weakref import ref

from api.app import create_app
from tests.api.operations import OPERATIONS
from tests.api.service import Service
from tests.fakes.object_store import MemoryObjectStore


async def test_each_application_answers_with_its_own_services(service: Service) -> None:
    other = create_app(replace(service.services(), base_url="http://other.example.com"))

    for app, url in ((service.app, "http://sign.example.com"), (other, "http://other.example.com")):
        async with service.http(None, app) as http:
            described = (await http.get("/openapi.json")).json()
            metadata = (await http.get("/.well-known/oauth-authorization-server")).json()
        assert described["servers"] == [{"url": url}]
        assert metadata["issuer"] == url


async def test_routes_keep_nothing_of_an_application(service: Service) -> None:
    objects = MemoryObjectStore()
    app = create_app(service.services(objects=objects))
    for operation in OPERATIONS:
        async with service.http(app=app) as http:
            assert (await http.request(operation.method, operation.url())).status_code != 500
    kept = ref(app), ref(objects)
    del app, objects, http
    gc.collect()

    assert [held() for held in kept] == [None, None]


def test_the_drawing_engine_is_loaded_in_child_processes_only() -> None:
    """PyMuPDF is not thread-safe and holds the interpreter lock."""
    program = "import sys, api.app; print('pymupdf' in sys.modules)"

    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert answer.stdout.strip() == "False"
