#!/bin/sh
# Creates Temporal's two databases, or migrates them to the version of this image.
set -eu
SQL_PASSWORD=$(cat /run/secrets/temporal-database-password)
export SQL_PASSWORD
for name in temporal visibility; do
    database=temporal
    [ "$name" = temporal ] || database=temporal_visibility
    tool() {
        temporal-sql-tool --plugin postgres12 --ep temporal-database --port 5432 --user temporal --db "$database" "$@"
    }
    tool create
    tool setup-schema -v 0.0
    tool update-schema -d "/etc/temporal/schema/postgresql/v12/$name/versioned"
done
