"""Alive and ready, with one row an engine (contract 3)."""

from typing import Any

from adapters.object_store.port import ObjectStoreError
from domain.errors import Unavailable
from tests.api.service import Service


async def test_a_process_that_lives_says_so_whatever_is_down(service: Service) -> None:
    service.app.state.services = service.services(sessions=None, rows=None, objects=None)

    answer = await service.http(None).get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


async def test_a_service_whose_engines_answer_is_ready(service: Service) -> None:
    answer = await service.http(None).get("/readyz")

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "dependencies": [{"name": name, "ready": True} for name in ("database", "temporal", "storage")],
    }


async def test_the_engine_that_is_away_is_named(service: Service) -> None:
    class Away:
        async def snapshot(self, *_: Any) -> None:
            raise Unavailable

        async def find(self, *_: Any) -> None:
            raise ObjectStoreError

    service.app.state.services = service.services(sessions=Away(), objects=Away())

    answer = await service.http(None).get("/readyz")

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert {row["name"]: row["ready"] for row in answer.json()["dependencies"]} == {
        "database": True,
        "temporal": False,
        "storage": False,
    }
