"""Settings that need or exclude one another."""

from collections.abc import Iterator, Mapping

from domain.seal.seal import SealLevel

DEFAULT_PUBLIC_URL = "http://127.0.0.1:8080"

_NEEDS = {
    "timestamp_url": "timestamp_roots",
    "timestamp_roots": "timestamp_url",
    "seal_certificate": "seal_key",
    "seal_passphrase": "seal_key",
    "oidc_audience": "oidc_issuer",
    "oidc_organisation_claim": "oidc_issuer",
    "oidc_scope_claim": "oidc_issuer",
    "deployment_name": "build_id",
    "build_id": "deployment_name",
    "worker_host": "worker_port",
    "sign_in_by_email": "sign_in_issuer",
}
"""Settings that have no effect without another one, each with the setting that it needs."""

_OF_THE_PROVIDER = ("sign_in_issuer", "sign_in_client_id", "sign_in_client_secret", "sign_in_name")
"""Settings of the sign-in by an OpenID provider. Either all are set, or none."""


def find_conflicts(values: Mapping[str, str]) -> Iterator[str]:
    """Returns a line for each conflict between settings. `values` maps their names to the texts that are set."""
    for name, needed in _NEEDS.items():
        if name in values and needed not in values:
            yield f"UNDERSIGN_{name.upper()} needs UNDERSIGN_{needed.upper()}. Set both, or remove it."
    missing = [name for name in _OF_THE_PROVIDER if name not in values]
    if len(missing) < len(_OF_THE_PROVIDER):
        for name in missing:
            yield f"UNDERSIGN_{name.upper()} is missing. Sign-in by an OpenID provider needs it; or remove the others."
    if values.get("seal_level", SealLevel.B_B) != SealLevel.B_B and "timestamp_url" not in values:
        yield "UNDERSIGN_SEAL_LEVEL: this level needs a timestamp authority. Set UNDERSIGN_TIMESTAMP_URL."
    if values.get("oidc_issuer", "").rstrip("/") == values.get("public_url", DEFAULT_PUBLIC_URL).rstrip("/"):
        yield "UNDERSIGN_OIDC_ISSUER must not be the service itself: its tokens are accepted anyway."
