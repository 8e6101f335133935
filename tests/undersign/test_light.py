"""Importing the client loads the client, the schemas that it shares with the service, and nothing of the server."""

import json
import re
import subprocess
import sys
from importlib.metadata import requires

OURS = re.compile(
    r"undersign(\..+)?|schemas(\..+)?|domain(\..+)?|layout|layout\.schema(\..+)?|layout\.zones(\.zone)?|texts(\..+)?"
)
"""Modules of this project that the client may load: its own, the schemas, and what schemas are made of."""

DECLARED = {"email_validator", "httpx", "pydantic", "pydantic_core", "rfc8785"}
"""Packages that the client and the schemas import themselves."""

OF_PACKAGES = {
    *("annotated_types", "typing_extensions", "typing_inspection"),  # of pydantic
    *("anyio", "certifi", "click", "h11", "httpcore", "idna", "markdown_it", "mdurl", "pygments", "rich"),  # of httpx
    *("dns", "socksio", "sniffio"),  # of email-validator and httpx, where they are installed
}
"""Packages that those load in turn."""

PROGRAM = """
import sys
before = set(sys.modules)
import undersign
import json
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def loaded() -> list[str]:
    """The modules that `import undersign` loads in a process of its own, without those of the standard library."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    names: list[str] = json.loads(done.stdout)
    return [name for name in names if name.partition(".")[0] not in sys.stdlib_module_names]


def test_importing_the_client_loads_no_server_code() -> None:
    names = loaded()
    ours = [name for name in names if name.partition(".")[0] in {"undersign", "schemas", "domain", "layout", "texts"}]
    others = {name.partition(".")[0] for name in names} - {"undersign", "schemas", "domain", "layout", "texts"}

    assert "undersign.client" in ours
    assert [name for name in ours if not OURS.fullmatch(name)] == []
    assert {name for name in others if not name.startswith("_")} - DECLARED - OF_PACKAGES == set()


def test_what_the_client_imports_is_declared() -> None:
    declared = {re.split(r"[^A-Za-z0-9_-]", line)[0].replace("-", "_") for line in requires("undersign") or ()}
    assert declared >= DECLARED
