#!/bin/sh
# Copies databases, keys and documents of deploy/compose.yaml into a new folder FOLDER/TIME, while the service runs. The
# folder deploy/secrets is not copied: keep it in another place. COMPOSE_FILE may name further files, as for compose.
# Usage: back-up.sh FOLDER
set -eu
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
umask 077
mkdir -p "$1"
target=$(cd "$1" && pwd)/$(date -u +%Y%m%dT%H%M%SZ)
cd "$(dirname "$0")"

dump() { # SERVICE USER DATABASE
    docker compose exec -T "$1" pg_dump --username "$2" --format=custom --no-owner "$3" >"$target.part/$3.dump"
}
mkdir "$target.part"
dump database undersign undersign
dump temporal-database temporal temporal
dump temporal-database temporal temporal_visibility
# Last: later objects are harmless, missing ones are not.
docker compose exec -T api tar --create --directory /var/lib/undersign . >"$target.part/undersign.tar"
mv "$target.part" "$target"
echo "$target"
