#!/bin/sh
# Creates the virtual environment and installs the locked packages; continues an interrupted installation.
# Usage: install.sh PYTHON VENV run|test|dev|bench|docs|generators
set -eu
python=$1 venv=$2 set=$3

fail() {
    echo "undersign: $*" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 ||
    fail "no '$python' on the PATH. Install Python 3.11 or newer, or choose one: make PYTHON=python3.12 ..."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old; Python 3.11 or newer is needed: make PYTHON=python3.12 ..."

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    echo "undersign: creating a Python environment in $venv"
    rm -rf "$venv"
    "$python" -m venv "$venv" >/dev/null 2>&1 || {
        rm -rf "$venv"
        fail "'$python -m venv $venv' failed. On Debian and Ubuntu: apt-get install python3-venv"
    }
fi

log=$venv/install.log
count=$(grep -c '==' "requirements/$set.lock")

# Runs pip; prints its output only if it fails.
install() {
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off --no-deps "$@" \
        >"$log" 2>&1 || {
        cat "$log" >&2
        fail "installing the packages failed; see the output of pip above. Run make again to continue."
    }
}

echo "undersign: installing $count locked packages (a minute or two the first time)"
# --no-deps: the lock has all dependencies. --no-compile: modules are compiled when they are first imported.
install --no-compile --require-hashes -r "requirements/$set.lock"
case $set in docs | generators)
    touch "$venv/$set.stamp"
    exit
    ;;
esac
install --no-build-isolation --editable .
echo "undersign: the environment is ready"
# A set includes those before it.
for made in run test dev bench; do
    touch "$venv/$made.stamp"
    [ "$made" != "$set" ] || break
done
