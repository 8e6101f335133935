"""Which table holds the fields of each record. A field without a column is an error at start: it would be lost."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType

from sqlmodel import SQLModel

from adapters.database.tables.callbacks import CallbackAttemptRow, CallbackRow
from adapters.database.tables.organisations import (
    ApplicationRow,
    ApprovalRow,
    BudgetRow,
    ClientRow,
    OrganisationRow,
    RefreshTokenRow,
    SenderIdentityRow,
    SignInLinkRow,
    SignInRow,
    UserRow,
)
from adapters.database.tables.sessions import SigningUrlRow, TombstoneRow
from adapters.database.tables.uploads import FileRow, ImageRow, TemplateRow
from domain.callbacks.delivery_schedule import Attempt, Delivery
from domain.ports.database import ClientCredentials, Organisation, Tombstone, User
from domain.ports.oauth_grants import Application, Approval, RefreshToken
from domain.ports.sender_identity import SenderIdentity
from domain.ports.sign_ins import SignIn, SignInLink
from domain.ports.signing_urls import SigningUrl
from domain.ports.uploads import UploadedFile, UploadedImage
from domain.shared.sending_limit import SendingLimit
from domain.templates.template import TemplateSummary


def _names(kind: type) -> tuple[str, ...]:
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    models: Mapping[str, object] = getattr(kind, "model_fields", {})
    return tuple(models) or tuple(getattr(kind, "_fields", ()))


def stored_fields(kind: type, tables: Iterable[type[SQLModel]], *others: str) -> frozenset[str]:
    """Returns the fields of `kind` that are columns of each of `tables`, all besides `others`.

    Raises `TypeError` if another field has no column.
    """
    stored = frozenset(_names(kind)) - set(others)
    for table in tables:
        if lost := sorted(stored - table.model_fields.keys()):
            raise TypeError(f"{table.__name__} has no column for {', '.join(lost)} of {kind.__name__}.")
    return stored


STORED: Mapping[type, frozenset[str]] = MappingProxyType(
    {
        Application: stored_fields(Application, [ApplicationRow]),
        Approval: stored_fields(Approval, [ApprovalRow], "budget"),
        Attempt: stored_fields(Attempt, [CallbackAttemptRow], "retry_after"),
        ClientCredentials: stored_fields(ClientCredentials, [ClientRow], "approver_role", "standing"),
        Delivery: stored_fields(Delivery, [CallbackRow], "was_asked_for", "is_failing"),
        Organisation: stored_fields(Organisation, [OrganisationRow]),
        RefreshToken: stored_fields(RefreshToken, [RefreshTokenRow]),
        SenderIdentity: stored_fields(SenderIdentity, [SenderIdentityRow], "logo"),
        SendingLimit: stored_fields(SendingLimit, [ApprovalRow, BudgetRow]),
        SignIn: stored_fields(SignIn, [SignInRow]),
        SignInLink: stored_fields(SignInLink, [SignInLinkRow]),
        SigningUrl: stored_fields(SigningUrl, [SigningUrlRow]),
        TemplateSummary: stored_fields(TemplateSummary, [TemplateRow]),
        Tombstone: stored_fields(Tombstone, [TombstoneRow]),
        UploadedFile: stored_fields(UploadedFile, [FileRow], "content"),
        UploadedImage: stored_fields(UploadedImage, [ImageRow], "content"),
        User: stored_fields(User, [UserRow]),
    }
)
"""The fields of each record that a row holds. A repository passes the others, or they keep their defaults."""
