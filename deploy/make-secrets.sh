#!/bin/sh
# Makes the secrets of deploy/compose.yaml, at random, each in a file of its own; those that are there stay as they are.
# Usage: make-secrets.sh SMTP-URL
set -eu
if [ $# != 1 ]; then
    echo "usage: $0 smtp://user:password@mail.example.com" >&2
    exit 2
fi
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

# Only root and its like come into the folder; in the containers the files are read by users without rights.
keep() { # NAME, with the secret on standard input
    [ -s "secrets/$1" ] || { cat >"secrets/$1.new" && chmod 444 "secrets/$1.new" && mv "secrets/$1.new" "secrets/$1"; }
}
random() { # FORMAT-PROGRAM...
    head -c 32 /dev/urandom | "$@"
}

random od -An -v -tx1 | tr -d ' \n' | keep database-password
random od -An -v -tx1 | tr -d ' \n' | keep temporal-database-password
random base64 | keep payload-keys
printf '%s' "$1" | keep smtp-url
printf 'postgresql+asyncpg://undersign:%s@database/undersign' "$(cat secrets/database-password)" | keep database-url
echo "The secrets are in $PWD/secrets. Keep a copy of payload-keys apart: without it no running session can go on."
