#!/bin/sh
# Restores a folder of back-up.sh: the databases, the objects that are missing in the bucket, and the keys if their
# volume is empty. Stops API and workers, and repairs differences to Temporal. Needs pg_restore, kubectl and gcloud.
# Usage: restore.sh FOLDER/TIME, with the variables of back-up.sh
# A Temporal cluster of your own: stop it, and give TEMPORAL=postgresql://user@host too; start it when asked.
set -eu
[ $# = 1 ] && [ -f "$1/keys.tar" ] || {
    echo "usage: DATABASE=... STORE=gs://... COPY=gs://... $0 FOLDER/TIME" >&2
    exit 2
}
: "${DATABASE:?the address of the database}" "${STORE:?the bucket}" "${COPY:?the bucket for copies}"
namespace=undersign

restore() { # ADDRESS FILE
    pg_restore --schema=public --clean --if-exists --no-owner --single-transaction --dbname "$1" "$2"
}
stop() { # an autoscaler leaves a deployment of no replicas alone
    kubectl scale --namespace "$namespace" deployment/undersign-api deployment/undersign-worker --replicas 0
    kubectl wait --namespace "$namespace" --for=delete pod --timeout 5m \
        --selector 'app.kubernetes.io/component in (api, worker)'
}
restore_keys() { # in a pod with the volume of the keys, as the user of the service
    image=$(kubectl get --namespace "$namespace" deployment/undersign-api \
        --output 'jsonpath={.spec.template.spec.containers[0].image}')
    kubectl apply --namespace "$namespace" --filename - <<POD
apiVersion: v1
kind: Pod
metadata: {name: undersign-keys}
spec:
  automountServiceAccountToken: false
  restartPolicy: Never
  securityContext:
    {runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: {type: RuntimeDefault}}
  containers:
    - name: keys
      image: $image
      command: [sleep, "600"]
      securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
      volumeMounts: [{name: keys, mountPath: /var/lib/undersign/keys}]
  volumes: [{name: keys, persistentVolumeClaim: {claimName: undersign-keys}}]
POD
    kubectl wait --namespace "$namespace" --for=condition=Ready pod/undersign-keys --timeout 5m
    kubectl exec --stdin --namespace "$namespace" undersign-keys -- \
        sh -c 'cd /var/lib/undersign/keys && [ -e link.key ] || tar --extract' <"$1"
    kubectl delete --namespace "$namespace" pod/undersign-keys
}
run() { # in a pod of the API
    kubectl exec --namespace "$namespace" deployment/undersign-api -- "$@"
}
stop
restore "$DATABASE" "$1/undersign.dump"
if [ -n "${TEMPORAL:-}" ]; then
    for name in temporal temporal_visibility; do
        restore "$TEMPORAL/$name" "$1/$name.dump"
    done
    printf 'Start Temporal, then press Enter. '
    read -r _
fi
gcloud storage rsync --recursive "$COPY" "$STORE"
restore_keys "$1/keys.tar"
kubectl scale --namespace "$namespace" deployment/undersign-worker deployment/undersign-api --replicas 2
for name in worker api; do
    kubectl rollout status --namespace "$namespace" "deployment/undersign-$name" --timeout 15m
done
run undersign repair --apply
run undersign doctor
