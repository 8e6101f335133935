"""Who signs download addresses of Google Cloud Storage: the key of a service account, or Google on its behalf."""

from google.auth.credentials import AnonymousCredentials, Credentials, Signing
from google.auth.iam import Signer
from google.auth.transport import Request

from adapters.object_store.port import StoreUnwritable

_LEARNED_LATER = "default"
"""What credentials of a virtual machine call their account until they were used for the first time."""


class IamSigning(Signing):
    """Signs by `signBlob` of Google's IAM, for a service account of which nobody here has a key.

    The account needs `roles/iam.serviceAccountTokenCreator` on itself. Google's keys change: such an address works for
    twelve hours at most.
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


def signing_of(credentials: Credentials, request: Request) -> Signing:
    """What signs with these credentials. May ask Google which account they are of.

    Raises:
        StoreUnwritable: they are of no service account.
        GoogleAuthError: Google does not answer.
    """
    if isinstance(credentials, Signing) and not isinstance(credentials, AnonymousCredentials):
        return credentials
    if getattr(credentials, "service_account_email", None) == _LEARNED_LATER:
        credentials.refresh(request)  # type: ignore[no-untyped-call]
    email = getattr(credentials, "service_account_email", None)
    if not email:
        raise StoreUnwritable(
            "these Google credentials are of no service account, and nothing else can sign download addresses; attach "
            "one to the machine, or name a key file in GOOGLE_APPLICATION_CREDENTIALS"
        )
    return IamSigning(credentials, email, request)
