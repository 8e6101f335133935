"""`make bench-layout`: compares the engine with others; writes `build/bench-layout.json`. Needs the group `bench`."""

import json
import logging
from collections.abc import Iterator
from functools import partial
from statistics import median

from layout.engine import page_count
from layout.schema.block_document import BlockDocument
from layout.text.characters import undrawable_texts
from tests import ROOT
from tests.bench import documents
from tests.bench.measure import OURS, checked, cold, interleaved, ours, peak_memory, ratio
from tests.bench.peers import PEERS, Make

RESULT = ROOT / "build" / "bench-layout.json"
ROUNDS = {"1 page": 30, "10 pages": 15, "100 pages": 7}
GOALS = {"1 page": 0.9, "10 pages": 0.4, "100 pages": 0.22}
"""Of Typst's time."""

Facts = dict[str, object]


def main() -> None:
    logging.disable()
    found: Facts = {}
    for name, facts in _all():
        found[name] = facts
        print(f"\n{name}")
        for line, value in facts.items():
            print(f"  {line:<34} {value}")
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"\nAll of it: {RESULT}")


def _all() -> Iterator[tuple[str, Facts]]:
    for size in documents.PAGES:
        yield size, _size(size, ROUNDS[size])
    yield "languages, against English", _languages(15)
    yield "scripts that are shaped, against Typst", _shaped(6)
    yield "issues only, against a full render", _issues_only(9)
    yield "blocks, against 10 of them", _linear(9)
    yield "peak memory of 100 pages, MB", {name: peak_memory(name, "100 pages") for name in (OURS, *PEERS)}
    taken = {name: cold(name, "10 pages", 9) for name in (OURS, "Typst")}
    yield "cold process to 10 pages, ms", {**taken, "ratio (goal 2)": taken[OURS] / taken["Typst"]}


def _size(size: str, rounds: int) -> Facts:
    document = partial(documents.mixed, size)
    times = interleaved({OURS: ours} | PEERS, document, rounds)
    facts: Facts = {}
    for name, engine in {OURS: ours, **PEERS}.items():
        pdf = engine(document(0))()
        against = "" if name == OURS else f"   Undersign/{name} {ratio(times, OURS, name):.3f}"
        facts[name] = f"{median(times[name]):8.1f} ms  {page_count(pdf):3} pages  {len(pdf) / 1000:6.0f} KB{against}"
    facts[f"of Typst (goal {GOALS[size]})"] = round(ratio(times, OURS, "Typst"), 3)
    facts["of ReportLab (goal 0.2 at 100)"] = round(ratio(times, OURS, "ReportLab"), 3)
    return facts


def _languages(rounds: int) -> Facts:
    """Time of each page, in multiples of an English one's."""
    names = ("English", "Polish", "Greek", "Cyrillic")
    times = interleaved({name: partial(_in_language, name) for name in names}, int, rounds)
    pages = {name: page_count(_in_language(name, 1)()) for name in names}
    facts: Facts = {}
    for name in names[1:]:
        facts[f"{name} (goal 1.3)"] = round(ratio(times, name, "English") * pages["English"] / pages[name], 2)
    return facts


def _in_language(name: str, seed: int) -> Make:
    return ours(documents.running(name, seed))


def _shaped(rounds: int) -> Facts:
    facts: Facts = {}
    for language in ("Arabic", "Hebrew", "Hindi", "Thai"):
        document = partial(documents.running, language)
        if undrawable_texts(BlockDocument.model_validate(document(0))):
            facts[language] = "not drawn"
            continue
        times = interleaved({OURS: ours, "Typst": PEERS["Typst"]}, document, rounds)
        facts[f"{language} (goal 1)"] = round(ratio(times, OURS, "Typst"), 2)
    return facts


def _issues_only(rounds: int) -> Facts:
    facts: Facts = {}
    for size in documents.PAGES:
        times = interleaved({"full": ours, "issues": checked}, partial(documents.mixed, size), rounds)
        facts[f"{size} (goal 0.5)"] = round(ratio(times, "issues", "full"), 2)
    return facts


def _linear(rounds: int) -> Facts:
    """Time of each block in documents of many, in multiples of its time in one of ten."""
    each = {
        blocks: median(interleaved({"it": ours}, partial(documents.counted, blocks), rounds)["it"]) / blocks
        for blocks in (10, 50, 100, 250, 500)
    }
    return {f"{blocks} blocks": round(taken / each[10], 2) for blocks, taken in each.items()}


if __name__ == "__main__":
    main()
