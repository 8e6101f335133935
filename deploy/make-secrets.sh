#!/bin/sh
# Makes the secrets of deploy/compose.yaml, each in a file of its own: at random, and the address of the mail server from
# standard input, since arguments can be read by everybody on this host. What was made at random once stays as it is.
# Usage: make-secrets.sh                 asks for the address, and shows nothing of it
#        make-secrets.sh < FILE          reads it, smtp://user:password@mail.example.com; nothing leaves the one that is there
set -eu
if [ $# != 0 ]; then
    echo "usage: $0 < FILE, which holds smtp://user:password@mail.example.com; a password is no argument" >&2
    exit 2
fi
if [ -t 0 ]; then
    printf 'The mail server (smtp://user:password@mail.example.com; nothing leaves it as it is): ' >&2
    trap 'stty echo' EXIT
    trap 'exit 130' INT TERM
    stty -echo
fi
IFS= read -r server || :
[ ! -t 0 ] || echo >&2
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

# Only root and its like come into the folder; in the containers the files are read by users without rights.
write() { # NAME, with the secret on standard input
    cat >"secrets/$1.new" && chmod 444 "secrets/$1.new" && mv "secrets/$1.new" "secrets/$1"
}
keep() { # NAME, with the secret on standard input
    [ -s "secrets/$1" ] || write "$1"
}
random() { # FORMAT-PROGRAM...
    head -c 32 /dev/urandom | "$@"
}

if [ -z "$server" ] && [ ! -s secrets/smtp-url ]; then
    echo "$0: give the address of the mail server on standard input, smtp://user:password@mail.example.com" >&2
    exit 2
fi
if [ -n "$server" ] && [ "$server" != "$(cat secrets/smtp-url 2>/dev/null)" ]; then
    [ ! -s secrets/smtp-url ] ||
        echo "The mail server is another one now: docker compose ... up --detach --force-recreate api worker"
    printf '%s' "$server" | write smtp-url
fi
random od -An -v -tx1 | tr -d ' \n' | keep database-password
random od -An -v -tx1 | tr -d ' \n' | keep temporal-database-password
random base64 | keep payload-keys
printf 'postgresql+asyncpg://undersign:%s@database/undersign' "$(cat secrets/database-password)" | keep database-url
echo "The secrets are in $PWD/secrets. Keep a copy of payload-keys apart: without it no running session can go on."
