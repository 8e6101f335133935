"""One document in a fresh process: `python -m tests.bench.fresh peak|cold ENGINE SIZE`.

For a cold start the document is read from a file as the engine likes it, so that nothing but the engine is imported.
"""

import sys
from pathlib import Path
from tempfile import gettempdir

_KEPT = Path(gettempdir()) / "undersign-bench"


def main(what: str, engine: str, size: str) -> None:
    source = _KEPT / f"{engine}-{size.replace(' ', '-')}"
    if what == "cold" and source.exists():
        _lay_out_cold(engine, source)
        return
    _KEPT.mkdir(exist_ok=True)
    from tests.bench import documents, peers
    from tests.bench.measure import OURS, ours

    document = documents.mixed(size, seed=0)
    if engine == "Typst":
        source.write_text(peers.typst_source(document), "utf-8")
    else:
        import json

        source.write_text(json.dumps(document), "utf-8")
    (ours if engine == OURS else peers.PEERS[engine])(document)()
    peak = next(line for line in Path("/proc/self/status").read_text("ascii").splitlines() if line.startswith("VmHWM"))
    print(int(peak.split()[1]) / 1000)


def _lay_out_cold(engine: str, source: Path) -> None:
    if engine == "Typst":
        import typst

        fonts = str(next(Path(gettempdir()).glob("undersign-bench-fonts")))
        typst.Compiler(font_paths=[fonts], ignore_system_fonts=True).compile(input=source.read_bytes(), format="pdf")
        return
    from layout.engine import render
    from layout.schema.block_document import BlockDocument

    render(BlockDocument.model_validate_json(source.read_bytes()), ("client",))


if __name__ == "__main__":
    main(*sys.argv[1:])
