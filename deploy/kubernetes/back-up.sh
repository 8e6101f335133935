#!/bin/sh
# Copies database and keys of deploy/kubernetes into a new folder FOLDER/TIME, and the objects into another bucket,
# while the service runs. Needs pg_dump, kubectl and gcloud.
# Usage: DATABASE=postgresql://user@host/undersign STORE=gs://documents COPY=gs://documents-backup back-up.sh FOLDER
# A Temporal cluster of your own: TEMPORAL=postgresql://user@host (its databases temporal and temporal_visibility).
set -eu
[ $# = 1 ] || { echo "usage: DATABASE=... STORE=gs://... COPY=gs://... $0 FOLDER" >&2; exit 2; }
: "${DATABASE:?the address of the database}" "${STORE:?the bucket}" "${COPY:?the bucket for copies}"
umask 077
mkdir -p "$1"
target=$(cd "$1" && pwd)/$(date -u +%Y%m%dT%H%M%SZ)

mkdir "$target.part"
pg_dump --format=custom --no-owner --file "$target.part/undersign.dump" "$DATABASE"
if [ -n "${TEMPORAL:-}" ]; then
    for name in temporal temporal_visibility; do
        pg_dump --format=custom --no-owner --file "$target.part/$name.dump" "$TEMPORAL/$name"
    done
fi
kubectl exec --namespace undersign deployment/undersign-api -- \
    tar --create --directory /var/lib/undersign/keys . >"$target.part/keys.tar"
# Last: later objects are harmless, missing ones are not.
gcloud storage rsync --recursive "$STORE" "$COPY"
mv "$target.part" "$target"
echo "$target"
