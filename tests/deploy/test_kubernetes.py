"""The Kubernetes manifests: valid, complete and consistent with the settings and the documents."""

import os
import subprocess
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest

from api.body_limits import MAX_BODY
from api.serve import GRACE_SECONDS
from config import production_checks
from config.settings import Settings
from tests import ROOT
from tests.deploy.files import DEPLOY, SETTINGS, is_command, project, read, read_all
from web.verify_page import MAX_UPLOAD
from workflows.sdk.payload_keys_setting import new_payload_key
from workflows.sdk.worker_config import SHUTDOWN_GRACE

FOLDER = DEPLOY / "kubernetes"
OLDEST, NEWEST = "1.30", "1.37"
"""The supported versions of Kubernetes."""

ALL = [(name, document) for name, document in read_all(FOLDER) if name != "kustomization.yaml"]
KUSTOMIZATION = read(FOLDER / "kustomization.yaml")

NAMED = {(document["kind"], document["metadata"]["name"]): document for _, document in ALL}
PODS = {name: document["spec"]["template"] for (kind, name), document in NAMED.items() if kind in {"Deployment", "Job"}}
(SETTINGS_OF_PODS,) = KUSTOMIZATION["configMapGenerator"]
CONFIGURATION = dict(
    line.split("=", 1)
    for line in (FOLDER / "settings.env").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
SECRET = NAMED["Secret", "undersign"]["stringData"]


def container(name: str) -> dict[str, Any]:
    (only,) = PODS[name]["spec"]["containers"]
    return only


def environment(name: str) -> dict[str, str]:
    """Returns the variables of a container, from the ConfigMap and its own."""
    assert container(name)["envFrom"] == [{"configMapRef": {"name": SETTINGS_OF_PODS["name"]}}]
    return CONFIGURATION | {entry["name"]: entry["value"] for entry in container(name)["env"] if "value" in entry}


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@pytest.mark.parametrize(("file", "document"), ALL, ids=[f"{file}:{document['kind']}" for file, document in ALL])
def test_every_manifest_is_valid(file: str, document: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(document, version, strict=True)


def test_all_files_but_the_example_of_a_secret_are_applied() -> None:
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml", "secret.example.yaml"}
    assert set(KUSTOMIZATION["resources"]) == files
    assert {document["metadata"].get("namespace", "undersign") for _, document in ALL} == {KUSTOMIZATION["namespace"]}


def test_a_changed_setting_replaces_pods() -> None:
    """A generated ConfigMap has a hash of its content in its name, to which the pods refer."""
    assert SETTINGS_OF_PODS["envs"] == ["settings.env"]
    assert "disableNameSuffixHash" not in str(KUSTOMIZATION)


def test_the_image_has_this_version() -> None:
    (image,) = KUSTOMIZATION["images"]
    assert {container(name)["image"] for name in PODS} == {image["name"]}
    assert image["newTag"] == project()["project"]["version"]


@pytest.mark.parametrize("name", PODS)
def test_settings_and_commands_exist_and_the_service_starts_with_them(
    name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {**SECRET, "payload-keys": new_payload_key()}
    for key, value in values.items():
        (tmp_path / key).write_text(value.replace("PASSWORD", "kR7wW2hQz"))
    variables = {
        variable: value.replace("/run/secrets/undersign", str(tmp_path))
        for variable, value in environment(name).items()
    }
    of_others = {variable: value for variable, value in variables.items() if not variable.startswith("UNDERSIGN_")}
    for variable, value in of_others.items():
        monkeypatch.setenv(variable, value)

    assert of_others.keys() == {"TEMPORAL_TLS", "PGSSLROOTCERT"}
    assert {variable.removesuffix("_FILE") for variable in variables.keys() - of_others.keys()} <= SETTINGS
    assert is_command(container(name)["command"])
    assert production_checks.read_for_server(variables).is_production


@pytest.mark.parametrize("name", PODS)
def test_volumes_and_secrets_exist(name: str) -> None:
    volumes = {volume["name"]: volume for volume in PODS[name]["spec"]["volumes"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in container(name)["volumeMounts"]}
    files = [value for variable, value in environment(name).items() if variable.endswith("_FILE")]

    assert set(mounts) == set(volumes)
    assert ("PersistentVolumeClaim", volumes["keys"]["persistentVolumeClaim"]["claimName"]) in NAMED
    assert mounts["keys"] == "/var/lib/undersign/keys"
    read = {file.removeprefix(f"{mounts['secrets']}/") for file in files}
    assert read == set(SECRET) - ({"rate-limit-storage"} if name != "undersign-api" else set())
    assert not any("valueFrom" in entry for entry in container(name)["env"]), "no secret is in the environment"


@pytest.mark.parametrize(
    ("name", "port"),
    [
        ("undersign-api", Settings.model_fields["api_port"].default),
        ("undersign-worker", int(environment("undersign-worker")["UNDERSIGN_WORKER_PORT"])),
    ],
)
def test_probes_and_prometheus_use_the_port_of_the_service(name: str, port: int) -> None:
    own = container(name)
    (opened,) = own["ports"]
    probes = [own[f"{probe}Probe"]["httpGet"] for probe in ("startup", "liveness", "readiness")]

    assert opened["containerPort"] == port
    assert {probe["port"] for probe in probes} == {opened["name"]}
    assert {probe["path"] for probe in probes} == {"/healthz"}, "a shared backend takes no pod out of rotation"
    assert PODS[name]["metadata"]["annotations"]["prometheus.io/port"] == str(port)


def test_running_work_may_end_before_pods_are_killed() -> None:
    (_, _, program) = container("undersign-api")["lifecycle"]["preStop"]["exec"]["command"]
    before = int(program.partition("sleep(")[2].rstrip(")"))

    assert PODS["undersign-api"]["spec"]["terminationGracePeriodSeconds"] > before + GRACE_SECONDS
    assert PODS["undersign-worker"]["spec"]["terminationGracePeriodSeconds"] > SHUTDOWN_GRACE.total_seconds()


@pytest.mark.parametrize("name", ["undersign-api", "undersign-worker"])
def test_a_signal_ends_a_process_that_is_starting_and_variables_of_services_are_absent(name: str) -> None:
    assert PODS[name]["spec"][
        "shareProcessNamespace"
    ]  # it is not the first process, from which the kernel keeps signals
    assert not PODS[name]["spec"]["enableServiceLinks"]


def test_every_selector_matches_pods() -> None:
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    specs = [document["spec"] for _, document in ALL if "spec" in document]
    selectors = [spec[key] for spec in specs for key in ("podSelector", "selector") if key in spec]

    for selector in selectors:
        expected = selector.get("matchLabels", selector)
        assert any(expected.items() <= pod.items() for pod in labels), expected
    target = NAMED["HorizontalPodAutoscaler", "undersign-api"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) in NAMED
    assert "replicas" not in NAMED["Deployment", "undersign-api"]["spec"]


def test_external_requests_reach_the_api() -> None:
    (rule,) = NAMED["Ingress", "undersign"]["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    service = NAMED["Service", path["backend"]["service"]["name"]]
    (port,) = service["spec"]["ports"]
    limit = NAMED["Ingress", "undersign"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"]

    assert path["backend"]["service"]["port"]["name"] == port["name"]
    assert port["targetPort"] == container("undersign-api")["ports"][0]["name"]
    assert CONFIGURATION["UNDERSIGN_PUBLIC_URL"] == f"https://{rule['host']}"
    assert int(limit.removesuffix("m")) * 1024**2 >= max(MAX_BODY, MAX_UPLOAD)


def test_only_the_ingress_and_the_monitoring_reach_the_api() -> None:
    (rule,) = NAMED["NetworkPolicy", "undersign-api"]["spec"]["ingress"]
    labels = [peer["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"] for peer in rule["from"]]
    proxies = ip_network(CONFIGURATION["UNDERSIGN_TRUSTED_PROXIES"])

    assert labels == ["ingress-nginx", "monitoring"]
    assert proxies.prefixlen >= production_checks.MIN_PREFIX[proxies.version]
    assert proxies.subnet_of(ip_network(CONFIGURATION["UNDERSIGN_METRICS_NETWORKS"]))


def test_pods_connect_to_named_backends_and_public_addresses_and_only_workers_to_any_port() -> None:
    policies = {
        name: document["spec"]
        for (kind, name), document in NAMED.items()
        if kind == "NetworkPolicy" and name != "undersign"
    }
    outgoing = {name: spec["egress"] for name, spec in policies.items() if "egress" in spec}
    open_to_all_ports = [name for name, rules in outgoing.items() if any("ports" not in rule for rule in rules)]
    of_node = outgoing.pop("undersign-node")
    assert {port["port"] for rule in of_node for port in rule["ports"]} == {53, 80, 988}
    peers = [peer for rules in outgoing.values() for rule in rules for peer in rule["to"]]
    blocks = [peer["ipBlock"] for peer in peers if "ipBlock" in peer]

    assert open_to_all_ports == ["undersign-callbacks"]
    assert policies["undersign-callbacks"]["podSelector"]["matchLabels"]["app.kubernetes.io/component"] == "worker"
    assert all(peer["namespaceSelector"] for peer in peers if "namespaceSelector" in peer)
    for inner in ("10.1.2.3/32", "192.168.1.1/32", "169.254.169.254/32", "fd00:ec2::254/128", "fe80::1/128"):
        network = ip_network(inner)
        covering = [block for block in blocks if ip_network(block["cidr"]).version == network.version]
        assert all(
            any(
                network.subnet_of(ip_network(part))
                for part in block["except"]  # type: ignore[arg-type]
                if ip_network(part).version == network.version
            )
            for block in covering
        )


def test_connections_of_all_pods_during_a_rollout_fit_postgresqls_default_and_the_document() -> None:
    """The default is 100, of which three are reserved for administrators."""
    replicas = {
        "undersign-api": NAMED["HorizontalPodAutoscaler", "undersign-api"]["spec"]["maxReplicas"],
        "undersign-worker": NAMED["Deployment", "undersign-worker"]["spec"]["replicas"],
    }
    surges = {name: NAMED["Deployment", name]["spec"]["strategy"]["rollingUpdate"]["maxSurge"] for name in replicas}
    pods = [count for name in replicas for count in (replicas[name], surges[name])] + [1]  # one migrates
    each = int(CONFIGURATION["UNDERSIGN_DATABASE_CONNECTIONS"])
    text = " ".join((ROOT / "docs/scaling.md").read_text(encoding="utf-8").split())

    assert sum(pods) * each <= 97
    assert f"({' + '.join(map(str, pods))}) times {each} is {sum(pods) * each}" in text


def test_an_upgrade_migrates_first_and_replaces_workers_before_the_api(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    kubectl = tmp_path / "kubectl"
    kubectl.write_text(f'#!/bin/sh\necho "$@" >>{calls}\n')
    kubectl.chmod(0o755)

    subprocess.run(
        [FOLDER / "upgrade.sh"], env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True, capture_output=True
    )

    steps = [line for line in calls.read_text().splitlines() if not line.startswith("apply --namespace undersign --f")]
    applied = [line.rpartition("component")[2] for line in calls.read_text().splitlines() if line.startswith("apply")]
    assert applied == [" notin (migrate, worker, api)", "=migrate", "=worker", "=api"]
    assert [" ".join(step.split()[:3]) for step in steps] == [
        f"kustomize {FOLDER}",
        "delete job undersign-migrate",
        "wait --for=condition=complete job/undersign-migrate",
        "rollout restart deployment/undersign-worker",
        "rollout status deployment/undersign-worker",
        "rollout restart deployment/undersign-api",
        "rollout status deployment/undersign-api",
    ]


def test_the_parts_of_an_upgrade_have_the_labels_that_it_selects() -> None:
    components = {
        (kind, name): document["metadata"]["labels"].get("app.kubernetes.io/component")
        for (kind, name), document in NAMED.items()
        if kind in {"Deployment", "Job"}
    }
    assert components == {
        ("Deployment", "undersign-api"): "api",
        ("Deployment", "undersign-worker"): "worker",
        ("Job", "undersign-migrate"): "migrate",
    }


@pytest.mark.parametrize("name", ["httproute", "podmonitor"])
def test_options_name_what_the_manifests_have(name: str) -> None:
    option = read(FOLDER / "options" / f"{name}.yaml")
    ports = {port["name"] for pod in ("undersign-api", "undersign-worker") for port in container(pod)["ports"]}
    service = NAMED["Service", "undersign-api"]["spec"]["ports"][0]

    if name == "podmonitor":
        assert {endpoint["port"] for endpoint in option["spec"]["podMetricsEndpoints"]} == ports
    else:
        (backend,) = option["spec"]["rules"][0]["backendRefs"]
        assert (backend["name"], backend["port"]) == ("undersign-api", service["port"])
    assert option["metadata"]["namespace"] == KUSTOMIZATION["namespace"]
