"""Signs download URLs of Google Cloud Storage: with the key of a service account, or through Google's IAM."""

from collections.abc import Mapping
from http import HTTPStatus

from google.auth.credentials import AnonymousCredentials, Credentials, Signing
from google.auth.iam import Signer
from google.auth.impersonated_credentials import Credentials as ImpersonatedCredentials
from google.auth.transport import Request, Response

from domain.ports.object_store import StoreUnwritable

ASK_SECONDS = 10
"""Timeout of a request for a signature or a token. The library's own is two minutes."""

TWELVE_HOURS = 43_200
"""Maximum seconds that a URL signed by Google is valid, because Google rotates its keys."""

_LEARNED_LATER = "default"
"""The account name in the credentials of a virtual machine before their first use."""


class IamSigner(Signing):
    """Signs through `signBlob` of Google's IAM, for a service account without a local key.

    The account needs `roles/iam.serviceAccountTokenCreator` on itself. Google rotates its keys, so a signed URL is
    valid for twelve hours at most.
    """

    def __init__(self, credentials: Credentials, email: str, request: Request) -> None:
        self._signer = Signer(request, credentials, email)  # type: ignore[no-untyped-call]
        self._email = email

    def sign_bytes(self, message: bytes) -> bytes:
        signature: bytes = self._signer.sign(message)
        return signature

    @property
    def signer_email(self) -> str:
        return self._email

    @property
    def signer(self) -> Signer:
        return self._signer


class TimeoutRequest(Request):
    """Sends requests with a short timeout.

    Raises `StoreUnwritable` for a refused signature, because the library's own error has no status.
    """

    def __init__(self, request: Request) -> None:
        self._request = request

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **others: object,
    ) -> Response:
        """See google-auth. Raises `StoreUnwritable`."""
        timeout = ASK_SECONDS if timeout is None else min(timeout, ASK_SECONDS)
        response: Response = self._request(
            url=url, method=method, body=body, headers=headers, timeout=timeout, **others
        )
        if url.endswith(":signBlob") and response.status == HTTPStatus.FORBIDDEN:
            raise StoreUnwritable(
                "Google signs no download addresses for the account of this service: give it "
                "roles/iam.serviceAccountTokenCreator on itself, and let its project have the API "
                "iamcredentials.googleapis.com"
            )
        return response


def signing_of(credentials: Credentials, request: Request) -> Signing:
    """Returns the signer for these credentials. May send a request to Google.

    Raises `StoreUnwritable` or `GoogleAuthError`.
    """
    if isinstance(credentials, Signing) and not isinstance(credentials, AnonymousCredentials):
        return credentials
    short_request = TimeoutRequest(request)
    if getattr(credentials, "service_account_email", None) == _LEARNED_LATER:
        credentials.refresh(short_request)  # type: ignore[no-untyped-call]
    email = getattr(credentials, "service_account_email", None)
    if not email:
        raise StoreUnwritable(
            "these Google credentials are of no service account, and nothing else can sign download addresses; attach "
            "one to the machine, or name a key file in GOOGLE_APPLICATION_CREDENTIALS"
        )
    return IamSigner(credentials, email, short_request)


def check_lifetime(signing: Signing | None, lifetime: int) -> None:
    """Raises `StoreUnwritable` if URLs that `signing` signs expire before `lifetime` (seconds)."""
    if isinstance(signing, IamSigner | ImpersonatedCredentials) and lifetime > TWELVE_HOURS:
        raise StoreUnwritable(
            f"UNDERSIGN_DOWNLOAD_LIFETIME is {lifetime}, and addresses that Google signs work for {TWELVE_HOURS} "
            "seconds at most; lower it, or name a key file in GOOGLE_APPLICATION_CREDENTIALS"
        )
