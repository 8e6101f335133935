"""Grants and budgets, in memory."""

from dataclasses import replace
from datetime import date, datetime

from adapters.database.budget_port import Spending, Spent
from adapters.database.grant_port import Application, Approval, Grant, RefreshToken
from adapters.database.port import ClientCredentials
from domain.budgets import UNLIMITED, Budget
from domain.ids import ApplicationId, ClientId, OrganisationId, UserId
from tests.fakes.database import MemoryOrganisations, MemoryUsers


class MemoryBudgets:
    def __init__(self) -> None:
        self.budgets: dict[ClientId, Budget] = {}
        self.spendings: dict[tuple[ClientId, str], tuple[date, int]] = {}

    async def find(self, client_id: ClientId) -> Budget | None:
        return self.budgets.get(client_id)

    async def keep(self, client_id: ClientId, budget: Budget) -> None:
        self.budgets.pop(client_id, None)
        if not budget.is_unlimited:
            self.budgets[client_id] = budget

    async def spend(self, spending: Spending, day: date, at_most: int) -> Spent:
        key = (spending.client_id, spending.act)
        counted = self.spendings.get(key)
        if counted is not None and counted[0] >= day:
            return Spent.BEFORE
        if await self.spent(spending.client_id, day) + spending.recipients > at_most:
            return Spent.TOO_MANY
        self.spendings[key] = (day, spending.recipients)
        return Spent.COUNTED

    async def spent(self, client_id: ClientId, day: date) -> int:
        return sum(count for (who, _), (on, count) in self.spendings.items() if who == client_id and on == day)


class MemoryGrants:
    """Keeps `Grants` beside the people and the organisations of a test."""

    def __init__(self, users: MemoryUsers, organisations: MemoryOrganisations, budgets: MemoryBudgets) -> None:
        self._users = users
        self._organisations = organisations
        self._budgets = budgets
        self.applications: dict[ApplicationId, Application] = {}
        self.approvals: dict[str, Approval] = {}
        self.granted: dict[ClientId, Approval] = {}
        self.tokens: dict[str, RefreshToken] = {}
        users.on_disabling.append(self._end_those_of)

    async def register(self, application: Application, at_most: int, since: datetime) -> None:
        never = [kept for kept in self.applications.values() if kept.approved_at is None]
        never.sort(key=lambda kept: kept.registered_at, reverse=True)
        for number, kept in enumerate(never):
            if kept.registered_at < since or number >= at_most - 1:
                del self.applications[kept.application_id]
        self.applications[application.application_id] = application

    async def find_application(self, application_id: ApplicationId) -> Application | None:
        return self.applications.get(application_id)

    async def approve(self, approval: Approval, forget_before: datetime) -> None:
        self.approvals = {code: kept for code, kept in self.approvals.items() if kept.ends_at >= forget_before}
        application = self.applications[approval.application_id]
        first = application.approved_at or approval.approved_at
        self.applications[approval.application_id] = replace(application, approved_at=first)
        self.approvals[approval.code_sha256] = approval

    async def find_approval(self, code_sha256: str) -> Approval | None:
        return self.approvals.get(code_sha256)

    async def redeem(self, approval: Approval, token: RefreshToken) -> bool:
        if self.approvals[approval.code_sha256].used_at is not None:
            return False
        self.approvals[approval.code_sha256] = replace(approval, used_at=token.issued_at)
        if self._users.users[approval.user_id].disabled_at is not None:
            return False
        name = self.applications[approval.application_id].name
        await self._organisations.add_client(
            ClientCredentials(approval.client_id, approval.organisation_id, name, "", approval.scopes)
        )
        await self._budgets.keep(approval.client_id, approval.budget)
        self.granted[approval.client_id] = approval
        self.tokens[token.secret_sha256] = token
        return True

    async def find_token(self, secret_sha256: str) -> RefreshToken | None:
        return self.tokens.get(secret_sha256)

    async def rotate(self, secret_sha256: str, token: RefreshToken) -> bool:
        if self.tokens[secret_sha256].used_at is not None:
            return False
        self.tokens[secret_sha256] = replace(self.tokens[secret_sha256], used_at=token.issued_at)
        self.tokens[token.secret_sha256] = token
        return True

    async def find_application_of(self, client_id: ClientId) -> ApplicationId | None:
        approval = self.granted.get(client_id)
        return approval.application_id if approval else None

    async def list(self, organisation_id: OrganisationId, at: datetime) -> tuple[Grant, ...]:
        mine = [a for a in self.granted.values() if a.organisation_id == organisation_id]
        found = [self._grant(approval) for approval in mine]
        alive = [grant for grant in found if grant.client.revoked_at is None and grant.ends_at > at]
        return tuple(sorted(alive, key=lambda grant: grant.approved_at, reverse=True))

    def _grant(self, approval: Approval) -> Grant:
        tokens = [token for token in self.tokens.values() if token.client_id == approval.client_id]
        return Grant(
            client=self._organisations.clients[approval.client_id],
            application_id=approval.application_id,
            approved_by=self._users.users[approval.user_id],
            approved_at=approval.approved_at,
            fetched_at=max(token.issued_at for token in tokens),
            ends_at=max(token.ends_at for token in tokens),
            budget=self._budgets.budgets.get(approval.client_id, UNLIMITED),
        )

    def _end_those_of(self, user_id: UserId, at: datetime) -> None:
        clients = self._organisations.clients
        for client_id, approval in self.granted.items():
            if approval.user_id == user_id and clients[client_id].revoked_at is None:
                clients[client_id] = replace(clients[client_id], revoked_at=at)
