#!/bin/sh
# Restores a folder of back-up.sh into deploy/compose.yaml: databases, keys and documents. Stops API and workers,
# replaces what is in the databases, and repairs differences to Temporal. On a new host, restore deploy/secrets first.
# Usage: restore.sh FOLDER/TIME
set -eu
[ $# = 1 ] && [ -f "$1/undersign.tar" ] || { echo "usage: $0 FOLDER/TIME, which back-up.sh has printed" >&2; exit 2; }
source=$(cd "$1" && pwd)
cd "$(dirname "$0")"

restore() { # SERVICE USER DATABASE EXTENSION...
    service=$1 user=$2 database=$3
    shift 3
    docker compose exec -T "$service" psql --quiet --username "$user" --dbname postgres --tuples-only --command \
        "SELECT 1 FROM pg_database WHERE datname = '$database'" | grep -q 1 ||
        docker compose exec -T "$service" createdb --username "$user" "$database"
    # A dump of the schema has no extensions, which commonly belong to an administrator.
    for extension; do
        docker compose exec -T "$service" psql --quiet --username "$user" --dbname "$database" --command \
            "CREATE EXTENSION IF NOT EXISTS $extension"
    done
    docker compose exec -T "$service" pg_restore --username "$user" --dbname "$database" \
        --schema=public --clean --if-exists --no-owner --single-transaction <"$source/$database.dump"
}
docker compose stop api worker temporal
docker compose up --detach --wait database temporal-database
docker compose run --rm --no-deps -T api tar --extract --directory /var/lib/undersign <"$source/undersign.tar"
restore database undersign undersign pg_trgm btree_gin
restore temporal-database temporal temporal
restore temporal-database temporal temporal_visibility btree_gin
docker compose up --detach --wait api worker
docker compose exec -T api undersign repair --apply
docker compose exec -T api undersign doctor
