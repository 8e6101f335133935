"""OAuth applications, approvals and grants in SQL."""

from datetime import datetime

from sqlmodel import col, delete, func, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import transaction, writing_rows
from adapters.database.repositories.standings import OF_USER, to_standing
from adapters.database.repositories.users import to_user
from adapters.database.repository import Repository, to_record, to_row
from adapters.database.tables.organisations import (
    ApplicationRow,
    ApprovalRow,
    BudgetRow,
    ClientRow,
    GrantRow,
    RefreshTokenRow,
    UserRow,
)
from domain.ports.database import ClientCredentials
from domain.ports.oauth_grants import Application, Approval, Grant, RefreshToken
from domain.shared.ids import ApplicationId, ClientId, OrganisationId, UserId
from domain.shared.roles import Role
from domain.shared.sending_limit import UNLIMITED, SendingLimit

NO_SECRET = ""
"""The `secret_sha256` of a grant's client, which has no secret. No secret has this hash."""


async def _honours(rows: AsyncSession, approval: Approval) -> bool:
    """Returns whether nothing has ended the credentials of the user since the approval."""
    key = {"organisation_id": approval.organisation_id, "user_id": approval.user_id}
    return to_standing((await (await rows.connection()).execute(OF_USER, key)).one()).honours(approval.generation)


class DatabaseGrants(Repository):
    """Implements `Grants`."""

    async def register(self, application: Application, at_most: int, since: datetime) -> None:
        never = col(ApplicationRow.approved_at).is_(None)
        latest = (
            select(ApplicationRow.application_id)
            .where(never)
            .order_by(col(ApplicationRow.registered_at).desc(), col(ApplicationRow.application_id))
            .limit(at_most - 1)
        )
        beyond = col(ApplicationRow.application_id).not_in(latest)
        async with writing_rows(self._engine) as rows:
            await rows.exec(delete(ApplicationRow).where(never, col(ApplicationRow.registered_at) < since))
            await rows.exec(delete(ApplicationRow).where(never, beyond))
            rows.add(to_row(ApplicationRow, application))

    async def find_application(self, application_id: ApplicationId) -> Application | None:
        return await self._get(Application, ApplicationRow, application_id)

    async def approve(self, approval: Approval, forget_before: datetime) -> None:
        mine = col(ApplicationRow.application_id) == approval.application_id
        first = func.coalesce(ApplicationRow.approved_at, approval.approved_at)
        async with writing_rows(self._engine) as rows:
            await rows.exec(delete(ApprovalRow).where(col(ApprovalRow.ends_at) < forget_before))
            await rows.exec(update(ApplicationRow).where(mine).values(approved_at=first))
            rows.add(to_row(ApprovalRow, approval, **approval.budget.model_dump()))

    async def find_approval(self, code_sha256: str) -> Approval | None:
        row = await self._find_row(ApprovalRow, code_sha256)
        return to_record(Approval, row, budget=to_record(SendingLimit, row)) if row else None

    async def redeem(self, approval: Approval, token: RefreshToken) -> bool:
        unused = (col(ApprovalRow.code_sha256) == approval.code_sha256, col(ApprovalRow.used_at).is_(None))
        # Disabling the user waits for this transaction, and then revokes the new client.
        person = select(UserRow).where(col(UserRow.user_id) == approval.user_id).with_for_update(read=True)
        async with writing_rows(self._engine) as rows:
            result = await rows.exec(update(ApprovalRow).where(*unused).values(used_at=token.issued_at))
            if result.rowcount != 1:
                return False
            user = (await rows.exec(person)).one_or_none()
            application = await rows.get(ApplicationRow, approval.application_id)
            if user is None or application is None or not await _honours(rows, approval):
                return False
            client = {"name": application.name, "secret_sha256": NO_SECRET, "generation": 0}
            rows.add(to_row(ClientRow, approval, **client, created_by=approval.user_id, created_at=token.issued_at))
            await rows.flush()
            rows.add(to_row(GrantRow, approval))
            if not approval.budget.is_unlimited:
                rows.add(to_row(BudgetRow, approval.budget, client_id=approval.client_id))
            await rows.flush()
            rows.add(to_row(RefreshTokenRow, token))
        return True

    async def find_token(self, secret_sha256: str) -> RefreshToken | None:
        return await self._get(RefreshToken, RefreshTokenRow, secret_sha256)

    async def rotate(self, secret_sha256: str, token: RefreshToken) -> bool:
        unused = (col(RefreshTokenRow.secret_sha256) == secret_sha256, col(RefreshTokenRow.used_at).is_(None))
        async with writing_rows(self._engine) as rows:
            result = await rows.exec(update(RefreshTokenRow).where(*unused).values(used_at=token.issued_at))
            if result.rowcount != 1:
                return False
            await rows.exec(delete(RefreshTokenRow).where(col(RefreshTokenRow.ends_at) < token.issued_at))
            rows.add(to_row(RefreshTokenRow, token))
        return True

    async def find_application_of(self, client_id: ClientId) -> ApplicationId | None:
        row = await self._find_row(GrantRow, client_id)
        return ApplicationId(row.application_id) if row else None

    async def find_user_of(self, client_id: ClientId) -> UserId | None:
        row = await self._find_row(GrantRow, client_id)
        return UserId(row.user_id) if row else None

    async def list(self, organisation_id: OrganisationId, at: datetime) -> tuple[Grant, ...]:
        query = (
            select(ClientRow, GrantRow, UserRow, RefreshTokenRow)
            .join(GrantRow, col(GrantRow.client_id) == ClientRow.client_id)
            .join(UserRow, col(UserRow.user_id) == GrantRow.user_id)
            .join(RefreshTokenRow, col(RefreshTokenRow.client_id) == GrantRow.client_id)
            .where(ClientRow.organisation_id == organisation_id, col(ClientRow.revoked_at).is_(None))
            .where(col(RefreshTokenRow.used_at).is_(None), col(RefreshTokenRow.ends_at) > at)
            .order_by(col(GrantRow.approved_at).desc(), col(GrantRow.client_id))
        )
        async with transaction(self._engine) as rows:
            found = (await rows.exec(query)).all()
            ids = [client.client_id for client, *_ in found]
            limits = await rows.exec(select(BudgetRow).where(col(BudgetRow.client_id).in_(ids)))
            budgets = {row.client_id: to_record(SendingLimit, row) for row in limits}
        return tuple(
            Grant(
                client=to_record(ClientCredentials, client, approver_role=Role(user.role)),
                application_id=ApplicationId(grant.application_id),
                approved_by=to_user(user),
                approved_at=grant.approved_at,
                fetched_at=token.issued_at,
                ends_at=token.ends_at,
                budget=budgets.get(client.client_id, UNLIMITED),
            )
            for client, grant, user, token in found
        )
