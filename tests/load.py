"""Load on a running service: what clients do at the same time, and what recipients enter."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from cli.demo.browser import Answer, Page


def at_once(clients: int, work: Callable[[], object]) -> float:
    """Has `clients` threads do the same work; returns the seconds until all have ended."""
    began = perf_counter()
    with ThreadPoolExecutor(clients) as threads:
        for done in [threads.submit(work) for _ in range(clients)]:
            done.result()
    return perf_counter() - began


def filled_in(documents: Page, name: str) -> dict[str, Answer]:
    """Returns what a recipient submits: a text in each empty text field, a typed signature, and consent."""
    form = documents.form()
    fields: dict[str, Answer] = {
        field: "as agreed" for field, values in form.values.items() if "/" in field and values == [""]
    }
    signature = {"signatureKind": "typed", "signatureText": name}
    return {**fields, **signature, "consent": form.choices.get("consent", [])}
