#!/bin/sh
# Creates the secrets of deploy/compose.yaml, each in its own file: random ones, and the address of the mail server from
# standard input, as all users of this host can read arguments. Existing random secrets are kept.
# Usage: make-secrets.sh                 prompts for the address and does not echo it
#        make-secrets.sh < FILE          reads it, smtp://user:password@mail.example.com; an empty one keeps the existing one
set -eu
if [ $# != 0 ]; then
    echo "usage: $0 < FILE, which contains smtp://user:password@mail.example.com; passwords must not be arguments" >&2
    exit 2
fi
if [ -t 0 ]; then
    printf 'The mail server (smtp://user:password@mail.example.com; empty keeps the existing one): ' >&2
    trap 'stty echo' EXIT
    trap 'exit 130' INT TERM
    stty -echo
fi
IFS= read -r server || :
[ ! -t 0 ] || echo >&2
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

# Only root can enter the folder; in the containers, unprivileged users read the files.
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
        echo "The mail server has changed. Restart: docker compose ... up --detach --force-recreate api worker"
    printf '%s' "$server" | write smtp-url
fi
random od -An -v -tx1 | tr -d ' \n' | keep database-password
random od -An -v -tx1 | tr -d ' \n' | keep temporal-database-password
printf 'zlib:%s' "$(random base64)" | keep payload-keys
printf 'postgresql+asyncpg://undersign:%s@database/undersign' "$(cat secrets/database-password)" | keep database-url
echo "The secrets are in $PWD/secrets. Keep a separate copy of payload-keys: without it, no running session can continue."
