#!/bin/sh
# Makes the virtual environment and installs the locked packages into it.
# Usage: install.sh PYTHON VENV run|dev
set -eu
python=$1 venv=$2 set=$3

command -v "$python" >/dev/null 2>&1 || {
    echo "undersign: no '$python' on the PATH. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 ..." >&2
    exit 1
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "undersign: $("$python" --version) is too old; Python 3.11 or newer is needed: make PYTHON=python3.12 ..." >&2
    exit 1
}
if [ ! -x "$venv/bin/python" ]; then
    echo "undersign: making a Python environment in $venv"
    "$python" -m venv "$venv" || {
        rm -rf "$venv"
        echo "undersign: '$python -m venv' failed. On Debian and Ubuntu: apt-get install python3-venv" >&2
        exit 1
    }
fi
count=$(grep -c '==' "requirements/$set.lock")
echo "undersign: installing $count locked packages (about a minute the first time)"
# --no-deps: the lock is the whole closure, and PyMuPDF's model packages are left out of it on purpose.
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r "requirements/$set.lock"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
touch "$venv/run.stamp"
[ "$set" = run ] || touch "$venv/dev.stamp"
