from tests.adapters.object_store.conftest import key_file as key_file  # noqa: PLC0414  # a fixture
from tests.adapters.object_store.conftest import storage_server as storage_server  # noqa: PLC0414  # a fixture
