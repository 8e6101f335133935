#!/bin/sh
# Makes the virtual environment and installs the locked packages into it; begins again where it was interrupted.
# Usage: install.sh PYTHON VENV run|test|dev|bench|docs
set -eu
python=$1 venv=$2 set=$3

fail() {
    echo "undersign: $*" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 ||
    fail "no '$python' on the PATH. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 ..."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old; Python 3.11 or newer is needed: make PYTHON=python3.12 ..."

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    echo "undersign: making a Python environment in $venv"
    rm -rf "$venv"
    "$python" -m venv "$venv" >/dev/null 2>&1 || {
        rm -rf "$venv"
        fail "'$python -m venv $venv' failed. On Debian and Ubuntu: apt-get install python3-venv"
    }
fi

log=$venv/install.log
count=$(grep -c '==' "requirements/$set.lock")

# Runs pip in the background and says how far it is; what it prints is shown only when it fails.
install() {
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off --no-deps "$@" \
        >"$log" 2>&1 &
    pip=$!
    trap 'kill $pip 2>/dev/null; exit 130' INT TERM
    shown=0
    while kill -0 "$pip" 2>/dev/null; do
        sleep 1
        done=$(grep -c -E '^(Collecting|Requirement already)' "$log" || true)
        if [ -t 1 ]; then
            printf '\rundersign: %s of %s packages ' "$done" "$count"
        elif [ "$done" -ge $((shown + 20)) ]; then
            shown=$done
            echo "undersign: $done of $count packages"
        fi
    done
    [ ! -t 1 ] || printf '\r'
    wait "$pip" || {
        cat "$log" >&2
        fail "installing the packages failed; what pip said is above. Run make again to go on."
    }
    trap - INT TERM
}

echo "undersign: installing $count locked packages (a minute or two the first time)"
# --no-deps: the lock is the whole closure. --no-compile: a module is compiled when it is first imported, most never are.
install --no-compile --require-hashes -r "requirements/$set.lock"
if [ "$set" = docs ]; then
    touch "$venv/docs.stamp"
    exit
fi
install --no-build-isolation --editable .
echo "undersign: the environment is ready"
# A set holds those before it.
for made in run test dev bench; do
    touch "$venv/$made.stamp"
    [ "$made" != "$set" ] || break
done
