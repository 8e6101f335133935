"""A run loads only its own file in its sandbox, as each run pays for it."""

import sys

import pytest
from temporalio.worker.workflow_sandbox import SandboxRestrictions
from temporalio.worker.workflow_sandbox._importer import Importer
from temporalio.worker.workflow_sandbox._restrictions import RestrictionContext

from workflows.workflow_types import CALLBACK_WORKFLOWS, WORKFLOWS


@pytest.mark.parametrize("kind", [*WORKFLOWS, *CALLBACK_WORKFLOWS])
def test_a_run_loads_no_module_but_its_own(kind: type) -> None:
    outside = dict(sys.modules)
    importer = Importer(SandboxRestrictions.default, RestrictionContext())

    with importer.applied():
        __import__(kind.__module__)
        loaded = {name for name, module in sys.modules.items() if module is not outside.get(name)}

    ours = {name for name in loaded if name.partition(".")[0] in {"workflows", "activities", "domain", "adapters"}}
    assert ours == {"workflows", kind.__module__.rpartition(".")[0], kind.__module__}
