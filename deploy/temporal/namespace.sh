#!/bin/sh
# Makes the namespace of Undersign when the server answers. What is over stays readable there for seven days.
set -eu
until temporal operator cluster health; do sleep 2; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
    temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 168h
