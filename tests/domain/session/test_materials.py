"""The materials of a signed PDF decide its name, and nothing else does."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.seal.seal import Identified, write_statement
from domain.session.materials import Materials, Signatory, matches_history
from domain.session.session import Session
from tests.builders import audit, created, draft, file, reference, submission

moments = st.datetimes(timezones=st.just(UTC))
identifiers = st.uuids().map(str)
digests = st.text("0123456789abcdef", min_size=64, max_size=64)
objects = st.fixed_dictionaries({"name": identifiers, "size": st.integers(0, 2**40), "sha256": digests})
signatories = st.fixed_dictionaries(
    {
        "key": identifiers,
        "name": st.text(max_size=20),
        "email": st.text(max_size=20),
        "identified_by": st.sampled_from(Identified).map(str),
        "completed_at": moments,
        "submission": objects,
        "signed_on": st.fixed_dictionaries({"date": st.dates().map(str), "time_zone": identifiers}),
    }
)
shapes = st.tuples(st.integers(1, 3), st.booleans())
"""How many have signed, and whether anything is stamped."""


def members(shape: tuple[int, bool]) -> st.SearchStrategy[dict[str, Any]]:
    count, is_stamped = shape
    return st.fixed_dictionaries(
        {
            "organisation_id": identifiers,
            "session_id": identifiers,
            "file_id": identifiers,
            "page_count": st.integers(1, 500),
            "rendered": objects,
            "zones": objects if is_stamped else st.none(),
            "signatories": st.lists(signatories, min_size=count, max_size=count),
        }
    )


materials = shapes.flatmap(members).map(Materials.model_validate)
pairs = shapes.flatmap(lambda shape: st.tuples(members(shape), members(shape)))


def parts(value: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """The path to each value in nested lists and dictionaries."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from parts(inner, *path, key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from parts(inner, *path, index)
    else:
        yield path


def changed(value: Any, path: tuple[str | int, ...], another: Any) -> Any:
    """`value` with what stands at `path` taken from `another`, which has the same shape."""
    if not path:
        return another
    first, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[first] = changed(value[first], tuple(rest), another[first])
    return copy


@given(materials, materials)
def test_two_names_are_equal_if_and_only_if_the_materials_are(one: Materials, two: Materials) -> None:
    again = Materials.model_validate_json(one.model_dump_json())
    assert (one.signed_name, one.statement) == (again.signed_name, again.statement)
    assert (one.signed_name == two.signed_name) == (one == two)


@given(pairs, st.data())
def test_every_member_decides_the_name_and_what_the_seal_states(
    pair: tuple[dict[str, Any], dict[str, Any]], data: st.DataObject
) -> None:
    written, another = pair
    path = data.draw(st.sampled_from(list(parts(written))))
    one, two = Materials.model_validate(written), Materials.model_validate(changed(written, path, another))
    assert (one.signed_name == two.signed_name) == (one == two)
    assert (write_statement(one.statement) == write_statement(two.statement)) == (one == two)


@given(materials)
def test_every_member_is_drawn_by_these_tests(drawn: Materials) -> None:
    """A member that is added to the materials is added to `members` above."""
    assert drawn.model_fields_set == set(Materials.model_fields)
    assert all(one.model_fields_set == set(Signatory.model_fields) for one in drawn.signatories)


def test_later_changes_leave_the_materials_unchanged() -> None:
    session = signed()
    done = session.add_signed_document(session.files[0].file_id, reference("signed.pdf"), audit()).session
    assert Materials.of(done, done.files[0]) == Materials.of(session, session.files[0])
    archived = done.archive(audit()).session
    assert Materials.of(archived, archived.files[0]) == Materials.of(session, session.files[0])


def test_entries_that_the_history_does_not_name_are_seen() -> None:
    step = created(*draft().recipients, files=(file(),))
    session, events = step.session, list(step.events)
    for act in acts():
        step = act(session)
        session, events = step.session, [*events, *step.events]
    ada = session.recipients[0]
    other = submission("another").content
    assert matches_history(ada, events)
    assert not matches_history(ada.model_copy(update={"submission": other}), events)
    assert not matches_history(ada.model_copy(update={"completed_at": datetime(2026, 1, 1, tzinfo=UTC)}), events)
    assert not matches_history(ada, events[:3])
    assert not matches_history(ada.model_copy(update={"submission": None}), events)


def acts() -> Iterator[Any]:
    yield lambda session: session.send(audit())
    for recipient in draft().recipients:
        yield lambda session, who=recipient: session.sign(who.recipient_id, submission(who.key), audit())


def signed() -> Session:
    session = created().session
    for act in acts():
        session = act(session).session
    return session
