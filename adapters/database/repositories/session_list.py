"""Plans the query of List Sessions, so that indexes answer it at any number of sessions (Specification 4.8).

By default, the index with the requested order is scanned, and sessions that do not match are skipped, until the page is
full. This is fast if many sessions match. For the case that few match, each filter with an index of its own is first
queried for a limited number of matches. If a filter has no more matches than that, only these candidates are checked
and sorted. Until the ids of the page are known, only columns of an index are read.

A search reads rows, because the indexes of the orders do not contain the names of people. It therefore checks more
candidates, and counts at most `MAX_COUNTED` matches.

For several statuses, one index scan for each status is merged, because an index that starts with the status has the
requested order only within a status.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, exists, func, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from adapters.database.repositories.labels import labelled
from adapters.database.repositories.session_search import find_by_name, find_by_search, is_found, is_part
from adapters.database.tables.sessions import LabelRow, RecipientRow, SessionRow
from domain.session.list_query import MAX_COUNTED, SessionQuery, SortBy, SortOrder, TimeRange, casefolded
from domain.session.status import SessionStatus
from domain.shared.ids import OrganisationId, SessionId

FEW = 1_000
"""Maximum matches of a filter that are checked one by one."""

FEW_FOUND = MAX_COUNTED
"""Maximum matches of a search that are checked one by one."""

_SESSIONS = SQLModel.metadata.tables[SessionRow.__tablename__].c
_LABELS = SQLModel.metadata.tables[LabelRow.__tablename__].c
_RECIPIENTS = SQLModel.metadata.tables[RecipientRow.__tablename__].c
_SORTED: dict[SortBy, ColumnElement[Any]] = {
    SortBy.CREATED_AT: _SESSIONS.created_at,
    SortBy.UPDATED_AT: _SESSIONS.updated_at,
    SortBy.COMPLETED_DATE: _SESSIONS.completed_at,
    SortBy.NAME: _SESSIONS.folded_name,
}


class Found(NamedTuple):
    """The session ids of a page in order, and the number of all matches."""

    ids: Sequence[SessionId]
    total: int


class SessionListQuery:
    """One list query, in the transaction of `connection`."""

    def __init__(self, connection: AsyncConnection, organisation_id: OrganisationId, query: SessionQuery) -> None:
        self._connection = connection
        self._organisation_id = organisation_id
        self._mine = _SESSIONS.organisation_id == organisation_id
        self._query = query
        self._part = casefolded(query.name or "")
        self._search = casefolded(query.search or "")
        self._few = FEW_FOUND if self._search else FEW
        self._labels = tuple(labelled(organisation_id, query.labels))
        self._spans = {SortBy.CREATED_AT: query.created, SortBy.UPDATED_AT: query.updated}
        self._statuses = sorted(query.statuses) if len(query.statuses) < len(SessionStatus) else []

    async def find(self) -> Found:
        """Returns the requested page."""
        async for few in self._candidate_sets():
            if len(few) <= self._few:
                page, matches = self.page_from_candidates(few), self.count_candidates(few)
                break
        else:
            page, matches = self.page_from_index(), self.matches()
        ids = (await self._connection.execute(page)).scalars().all()
        if len(ids) < self._query.limit and (ids or not self._query.offset):  # the last page needs no count
            return Found(ids, self._query.offset + len(ids))
        return Found(ids, (await self._connection.execute(matches)).scalar_one())

    async def _candidate_sets(self) -> AsyncIterator[Sequence[str]]:
        """Yields the matches of each filter with an index of its own: all of them, or `_few` + 1 if there are more."""
        if self._search:
            found = await find_by_search(self._connection, self._organisation_id, self._search, self._few + 1)
            if found is not None:
                yield found
        if self._part:
            found = await find_by_name(self._connection, self._organisation_id, self._part, self._few + 1)
            if found is not None:
                yield found
        for label in self._labels:
            yield await self._first(select(_LABELS.session_id).where(*label))
        if self._query.recipient_email:
            yield await self._first(select(_RECIPIENTS.session_id).where(*self._recipient_filter()))
        if self._query.owner:
            yield await self._first(select(_SESSIONS.session_id).where(self._mine, *self._owned()))
        for sort_by, span in self._spans.items():
            if span.is_bounded and sort_by is not self._query.sort_by:
                yield await self._first(
                    select(_SESSIONS.session_id).where(self._mine, *_within(_SORTED[sort_by], span))
                )

    async def _first(self, matches: Select[Any]) -> Sequence[str]:
        found: Sequence[str] = (await self._connection.execute(matches.limit(self._few + 1))).scalars().all()
        return found

    def page_from_index(self) -> Select[Any]:
        """Selects the page by a scan of the index with its order, or by one merged scan for each status."""
        query = self._query
        if len(self._statuses) < 2:
            page = self._index_scan(self._statuses)
            return page.with_only_columns(_SESSIONS.session_id).limit(query.limit).offset(query.offset)
        walks = [self._index_scan([status]).limit(query.offset + query.limit).subquery() for status in self._statuses]
        merged = union_all(*(select(walk) for walk in walks)).subquery()
        page = select(merged.c.session_id).order_by(*self._ordered(merged.c.place, merged.c.session_id))
        return page.limit(query.limit).offset(query.offset)

    def _index_scan(self, statuses: Sequence[SessionStatus]) -> Select[Any]:
        sort_by = self._query.sort_by
        place = _SORTED[sort_by]
        walk = select(_SESSIONS.session_id, place.label("place")).where(
            self._mine, *_in(_SESSIONS.status, statuses), *self._filters(led_by=sort_by)
        )
        return walk.order_by(*self._ordered(place, _SESSIONS.session_id))

    def page_from_candidates(self, few: Sequence[str]) -> Select[Any]:
        """Selects the page from the candidates `few`, sorted."""
        order = self._ordered(_hide_from_index(_SORTED[self._query.sort_by]), _SESSIONS.session_id)
        page = select(_SESSIONS.session_id).where(*self._restricted_to(few)).order_by(*order)
        return page.limit(self._query.limit).offset(self._query.offset)

    def count_candidates(self, few: Sequence[str]) -> Select[Any]:
        """Counts the matching candidates."""
        return select(func.count()).where(*self._restricted_to(few))

    def _restricted_to(self, few: Sequence[str]) -> Iterator[ColumnElement[bool]]:
        yield self._mine
        yield _SESSIONS.session_id.in_(few)
        # Always true. `revision` is in no index: otherwise SQLite scans an index that covers all columns.
        yield _SESSIONS.revision >= 0
        yield from _in(_hide_from_index(_SESSIONS.status), self._statuses)
        yield from self._filters()

    def matches(self) -> Select[Any]:
        """Counts all matches."""
        other = (
            self._statuses
            or self._part
            or self._search
            or self._labels
            or self._query.owner
            or any(span.is_bounded for span in self._spans.values())
        )
        if self._query.recipient_email and not other:
            return select(func.count()).where(*self._recipient_filter())
        within = [bound for sort_by, span in self._spans.items() for bound in _within(_SORTED[sort_by], span)]
        conditions = (self._mine, *_in(_SESSIONS.status, self._statuses), *within, *self._text_filters())
        if not self._search:
            return select(func.count()).where(*conditions)
        counted = select(_SESSIONS.session_id).where(*conditions).limit(MAX_COUNTED + 1)
        return select(func.count()).select_from(counted.subquery())

    def _filters(self, led_by: SortBy | None = None) -> Iterator[ColumnElement[bool]]:
        """Yields the filters of an index scan, except statuses. Only the range of `led_by` limits the scan itself."""
        for sort_by, span in self._spans.items():
            column = _SORTED[sort_by]
            yield from _within(column if sort_by is led_by else _hide_from_index(column), span)
        yield from self._text_filters()

    def _text_filters(self) -> Iterator[ColumnElement[bool]]:
        if self._search:
            yield is_found(self._connection, self._search)
        if self._part:
            yield is_part(self._connection, self._part)
        yield from self._owned()
        for label in self._labels:
            yield exists().where(_LABELS.session_id == _SESSIONS.session_id, *label)
        if self._query.recipient_email:
            yield exists().where(_RECIPIENTS.session_id == _SESSIONS.session_id, *self._recipient_filter())

    def _owned(self) -> Iterator[ColumnElement[bool]]:
        if self._query.owner:
            yield _SESSIONS.owner == self._query.owner

    def _recipient_filter(self) -> tuple[ColumnElement[bool], ...]:
        mine = _RECIPIENTS.organisation_id == self._organisation_id
        return mine, _RECIPIENTS.email == self._query.recipient_email

    def _ordered(self, place: ColumnElement[Any], session_id: ColumnElement[Any]) -> tuple[ColumnElement[Any], ...]:
        ascending = self._query.sort_order is SortOrder.ASCENDING
        order = place.asc() if ascending else place.desc()
        if self._query.sort_by is SortBy.COMPLETED_DATE:  # PostgreSQL uses the index only for its own order of nulls
            order = order.nulls_first() if ascending else order.nulls_last()
        return order, session_id.asc() if ascending else session_id.desc()


def _in(status: ColumnElement[Any], statuses: Sequence[SessionStatus]) -> Iterator[ColumnElement[bool]]:
    values = [status.value for status in statuses]
    if values:
        yield status == values[0] if len(values) == 1 else status.in_(values)


def _within(column: ColumnElement[Any], span: TimeRange) -> Iterator[ColumnElement[bool]]:
    if span.start is not None:
        yield column >= span.start
    if span.end is not None:
        yield column < span.end


def _hide_from_index(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Returns an expression for `column` that no index covers, so that the database uses none for it."""
    return func.coalesce(column, column)
