"""Who reaches the API in Kubernetes, and whom it believes about the address of a client."""

from ipaddress import ip_network

from config import production_checks
from tests.deploy.test_kubernetes import NAMED


def test_only_the_ingress_and_the_monitoring_reach_the_api() -> None:
    (rule,) = NAMED["NetworkPolicy", "undersign-api"]["spec"]["ingress"]
    labels = [peer["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"] for peer in rule["from"]]

    assert labels == ["ingress-nginx", "monitoring"]


def test_the_proxies_are_few_among_the_pods() -> None:
    settings = NAMED["ConfigMap", "undersign"]["data"]
    proxies = ip_network(settings["UNDERSIGN_TRUSTED_PROXIES"])

    assert proxies.prefixlen > production_checks.MIN_PREFIX[proxies.version]
    assert proxies.subnet_of(ip_network(settings["UNDERSIGN_METRICS_NETWORKS"]))
