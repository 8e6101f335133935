#!/bin/sh
# Creates Undersign's namespace once the server answers. Closed workflows stay readable for seven days.
set -eu
until temporal operator cluster health; do sleep 2; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
    temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 168h
