#!/bin/sh
# Applies deploy/kubernetes, or a kustomization of your own, in the order of an upgrade: the migration, then the workers,
# then the API. Pods restart in this order for changed secrets too.
# Usage: upgrade.sh [DIRECTORY]
set -eu

directory=${1:-$(dirname "$0")}
namespace=undersign
minutes=15m
rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
kubectl kustomize "$directory" >"$rendered"

apply() { # the parts with this label
    kubectl apply --namespace "$namespace" --filename "$rendered" --selector "$1"
}
roll() { # a deployment: also when only a secret has changed
    apply "app.kubernetes.io/component=$1"
    kubectl rollout restart "deployment/undersign-$1" --namespace "$namespace"
    kubectl rollout status "deployment/undersign-$1" --namespace "$namespace" --timeout "$minutes"
}

apply 'app.kubernetes.io/component notin (migrate, worker, api)'
kubectl delete job undersign-migrate --namespace "$namespace" --ignore-not-found
apply app.kubernetes.io/component=migrate
kubectl wait --for=condition=complete job/undersign-migrate --namespace "$namespace" --timeout "$minutes"
roll worker
roll api
