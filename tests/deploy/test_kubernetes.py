"""The manifests: each is valid, what they name exists, and pods have no rights."""

from typing import Any

import kubernetes_validate
import pytest

from api.__main__ import GRACE_SECONDS
from asgi.middleware.body_limit import MAX_BODY
from settings import Settings
from tests import ROOT
from tests.deploy.files import DEPLOY, SETTINGS, is_a_command_of_ours, project, read, read_all
from web.verify.page import MAX_UPLOAD
from worker import SHUTDOWN_GRACE
from workflows.sdk.payload_keys import new_payload_key

FOLDER = DEPLOY / "kubernetes"
OLDEST, NEWEST = "1.30", "1.37"
"""The versions of Kubernetes that the manifests are for, as far as schemas are at hand."""

ALL = [(name, document) for name, document in read_all(FOLDER) if name != "kustomization.yaml"]
KUSTOMIZATION = read(FOLDER / "kustomization.yaml")

NAMED = {(document["kind"], document["metadata"]["name"]): document for _, document in ALL}
PODS = {name: document["spec"]["template"] for (kind, name), document in NAMED.items() if kind in {"Deployment", "Job"}}
CONFIGURATION = NAMED["ConfigMap", "undersign"]["data"]
SECRET = NAMED["Secret", "undersign"]["stringData"]


def container(name: str) -> dict[str, Any]:
    (only,) = PODS[name]["spec"]["containers"]
    return only


def environment(name: str) -> dict[str, str]:
    """What the container is told, from the configuration and by itself."""
    assert container(name)["envFrom"] == [{"configMapRef": {"name": "undersign"}}]
    return CONFIGURATION | {entry["name"]: entry["value"] for entry in container(name)["env"] if "value" in entry}


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@pytest.mark.parametrize(("file", "document"), ALL, ids=[f"{file}:{document['kind']}" for file, document in ALL])
def test_every_manifest_is_valid(file: str, document: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(document, version, strict=True)


def test_everything_is_applied_but_the_example_of_a_secret() -> None:
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml", "secret.example.yaml"}

    assert set(KUSTOMIZATION["resources"]) == files
    assert {document["metadata"].get("namespace", "undersign") for _, document in ALL} == {KUSTOMIZATION["namespace"]}


def test_the_image_is_that_of_this_version() -> None:
    (image,) = KUSTOMIZATION["images"]

    assert {container(name)["image"] for name in PODS} == {image["name"]}
    assert image["newTag"] == project()["project"]["version"]


@pytest.mark.parametrize("name", PODS)
def test_what_is_set_are_settings(name: str) -> None:
    assert {variable.removesuffix("_FILE") for variable in environment(name)} <= SETTINGS


@pytest.mark.parametrize("name", PODS)
def test_what_is_run_is_there(name: str) -> None:
    assert is_a_command_of_ours(container(name)["command"])


@pytest.mark.parametrize("name", PODS)
def test_the_service_starts_with_these_settings(name: str, tmp_path: Any) -> None:
    values = {
        "database-url": SECRET["database-url"].replace("PASSWORD", "kR7wW2hQz"),
        "payload-keys": new_payload_key(),
        "smtp-url": SECRET["smtp-url"].replace("PASSWORD", "kR7wW2hQz"),
    }
    for key in SECRET:
        (tmp_path / key).write_text(values[key])
    told = {
        variable: value.replace("/run/secrets/undersign", str(tmp_path))
        for variable, value in environment(name).items()
    }

    assert Settings.read_to_serve(told).is_production


@pytest.mark.parametrize("name", PODS)
def test_every_volume_that_is_mounted_is_there_and_every_secret_is_in_it(name: str) -> None:
    spec = PODS[name]["spec"]
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in container(name)["volumeMounts"]}
    files = [value for variable, value in environment(name).items() if variable.endswith("_FILE")]

    assert set(mounts) == set(volumes)
    assert ("PersistentVolumeClaim", volumes["keys"]["persistentVolumeClaim"]["claimName"]) in NAMED
    assert mounts["keys"] == "/var/lib/undersign/keys"
    assert {file.removeprefix(f"{mounts['secrets']}/") for file in files} == set(SECRET)


@pytest.mark.parametrize("name", PODS)
def test_pods_have_no_rights(name: str) -> None:
    spec, own = PODS[name]["spec"], container(name)["securityContext"]

    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["runAsUser"] == spec["securityContext"]["fsGroup"] == 10001
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert spec["automountServiceAccountToken"] is False
    assert ("ServiceAccount", spec["serviceAccountName"]) in NAMED
    assert own == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


@pytest.mark.parametrize("name", PODS)
def test_containers_ask_for_what_they_need_and_have_limits(name: str) -> None:
    resources = container(name)["resources"]

    assert set(resources["requests"]) == set(resources["limits"]) == {"cpu", "memory"}


@pytest.mark.parametrize(
    ("name", "port"),
    [("undersign-api", Settings.model_fields["api_port"].default), ("undersign-worker", 9464)],
)
def test_probes_and_prometheus_ask_where_the_service_answers(name: str, port: int) -> None:
    own = container(name)
    (opened,) = own["ports"]
    asked = [own[f"{probe}Probe"]["httpGet"] for probe in ("startup", "liveness", "readiness")]
    annotations = PODS[name]["metadata"]["annotations"]

    assert opened["containerPort"] == port
    assert {probe["port"] for probe in asked} == {opened["name"]}
    assert {probe["path"] for probe in asked} == {"/healthz"}, "an engine that all share takes no pod out of service"
    assert annotations["prometheus.io/port"] == str(port)
    assert annotations["prometheus.io/path"] == "/metrics"


def test_the_worker_listens_at_the_port_that_is_asked() -> None:
    (opened,) = container("undersign-worker")["ports"]
    told = environment("undersign-worker")

    assert told["UNDERSIGN_WORKER_HOST"] == "0.0.0.0"  # noqa: S104  # of its own container
    assert told["UNDERSIGN_WORKER_PORT"] == str(opened["containerPort"])


def test_what_is_under_way_may_end_before_a_pod_is_killed() -> None:
    (_, _, program) = container("undersign-api")["lifecycle"]["preStop"]["exec"]["command"]
    before = int(program.partition("sleep(")[2].rstrip(")"))

    assert PODS["undersign-api"]["spec"]["terminationGracePeriodSeconds"] > before + GRACE_SECONDS
    assert PODS["undersign-worker"]["spec"]["terminationGracePeriodSeconds"] > SHUTDOWN_GRACE.total_seconds()


@pytest.mark.parametrize("kind", ["Service", "PodDisruptionBudget", "NetworkPolicy"])
def test_whatever_selects_pods_finds_some(kind: str) -> None:
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    chosen = [document["spec"] for (found, _), document in NAMED.items() if found == kind]

    assert chosen
    for spec in chosen:
        selector = spec.get("podSelector", spec.get("selector"))
        wanted = selector.get("matchLabels", selector)
        assert any(wanted.items() <= pod.items() for pod in labels), wanted


def test_deployments_select_their_own_pods_and_are_the_ones_that_are_scaled() -> None:
    for (kind, name), document in NAMED.items():
        if kind == "Deployment":
            assert document["spec"]["selector"]["matchLabels"] == PODS[name]["metadata"]["labels"]
    target = NAMED["HorizontalPodAutoscaler", "undersign-api"]["spec"]["scaleTargetRef"]

    assert (target["kind"], target["name"]) in NAMED
    assert "replicas" not in NAMED["Deployment", "undersign-api"]["spec"]


def test_requests_from_outside_reach_the_api() -> None:
    (rule,) = NAMED["Ingress", "undersign"]["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    service = NAMED["Service", path["backend"]["service"]["name"]]
    (port,) = service["spec"]["ports"]

    assert path["backend"]["service"]["port"]["name"] == port["name"]
    assert port["targetPort"] == container("undersign-api")["ports"][0]["name"]
    assert CONFIGURATION["UNDERSIGN_PUBLIC_URL"] == f"https://{rule['host']}"


def test_all_pods_while_they_are_exchanged_fit_into_what_postgresql_admits_by_default_and_the_docs_do_the_sum() -> None:
    """100, of which three are kept for administrators."""
    scaled = NAMED["HorizontalPodAutoscaler", "undersign-api"]["spec"]["maxReplicas"]
    deployments = {name: NAMED["Deployment", name]["spec"] for name in ("undersign-api", "undersign-worker")}
    most = {"undersign-api": scaled, "undersign-worker": deployments["undersign-worker"]["replicas"]}
    parts = [
        n for name, spec in deployments.items() for n in (most[name], spec["strategy"]["rollingUpdate"]["maxSurge"])
    ]
    each = int(CONFIGURATION["UNDERSIGN_DATABASE_CONNECTIONS"])
    migrating = 1
    told = (ROOT / "docs/scaling.md").read_text(encoding="utf-8")

    total = (sum(parts) + migrating) * each
    assert total <= 97
    assert f"({' + '.join(map(str, [*parts, migrating]))}) times {each} is {total}" in " ".join(told.split())


@pytest.mark.parametrize("name", ["undersign-api", "undersign-worker"])
def test_a_key_of_temporal_is_taken_from_the_secret_where_it_is_there(name: str) -> None:
    (entry,) = (entry for entry in container(name)["env"] if entry["name"] == "TEMPORAL_API_KEY")
    reference = entry["valueFrom"]["secretKeyRef"]

    assert reference["optional"]
    assert ("Secret", reference["name"]) in NAMED


def test_the_way_in_takes_the_largest_upload() -> None:
    taken = NAMED["Ingress", "undersign"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"]

    assert int(taken.removesuffix("m")) * 1024**2 >= max(MAX_BODY, MAX_UPLOAD)
