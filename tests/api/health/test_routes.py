"""Alive and ready, with one row a dependency (Specification 4.22)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from application.readiness import Dependency, NotReady, Readiness
from domain.shared.version import VERSION
from tests.api.service import Service

Probe = Callable[[], Awaitable[object]]


async def answers() -> None:
    """Everything is well."""


async def is_away() -> None:
    raise ConnectionError("no route to 10.1.2.3")


def depends(name: str, probe: Probe = answers, *, needed: bool = True, remembered: float = 0.0) -> Dependency:
    return Dependency(name, probe, f"Start the {name}.", needed, remembered)


async def test_a_process_that_lives_says_so_whatever_is_down(service: Service) -> None:
    service.app.state.services = service.services(sessions=None, rows=None, objects=None)

    answer = await service.http(None).get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "alive", "version": VERSION})


async def ready(service: Service, *dependencies: Dependency) -> Any:
    service.app.state.services = service.services(readiness=Readiness(dependencies))
    return await service.http(None).get("/readyz")


async def test_a_service_whose_dependencies_answer_is_ready(service: Service) -> None:
    answer = await ready(service, depends("database"), depends("mail", needed=False))

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "dependencies": [
            {"name": "database", "ready": True, "needed": True, "advice": None},
            {"name": "mail", "ready": True, "needed": False, "advice": None},
        ],
    }


async def test_what_is_needed_and_away_is_named_with_what_to_do(service: Service) -> None:
    answer = await ready(service, depends("database", is_away), depends("storage"))

    assert (answer.status_code, answer.json()["error"]) == (503, "UNAVAILABLE")
    assert [(row["name"], row["ready"], row["advice"]) for row in answer.json()["dependencies"]] == [
        ("database", False, "Start the database."),
        ("storage", True, None),
    ]
    assert "10.1.2.3" not in answer.text


async def test_without_what_heals_by_itself_the_service_is_ready_and_says_so(service: Service) -> None:
    answer = await ready(service, depends("database"), depends("mail", is_away, needed=False))

    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["dependencies"][1]["advice"] == "Start the mail."


async def test_a_probe_may_know_better_what_to_do(service: Service) -> None:
    async def is_old() -> None:
        raise NotReady("Bring its tables up to date.")

    answer = await ready(service, depends("database", is_old))

    assert answer.json()["dependencies"][0]["advice"] == "Bring its tables up to date."


async def test_a_dependency_is_asked_once_in_its_time_however_many_ask() -> None:
    asked = 0

    async def count() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)

    readiness = Readiness([depends("database", count, remembered=60)])

    await asyncio.gather(*(readiness.rows() for _ in range(20)))

    assert asked == 1


async def test_an_answer_that_is_old_is_asked_for_again() -> None:
    probes = iter((is_away, answers))

    async def heals() -> None:
        await next(probes)()

    readiness = Readiness([depends("database", heals)])

    assert [row.is_ready for _ in range(2) for row in await readiness.rows()] == [False, True]
