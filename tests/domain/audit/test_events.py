"""The names that recipients had when something happened."""

from domain.audit.events import names_at_events
from domain.session.edits import Correction, correct_recipient
from tests.builders import audit, created, recipient
from tests.domain.situations import ADA


def test_events_before_a_correction_have_the_earlier_name() -> None:
    draft = created(recipient("ada"))
    step = draft.then(draft.session.send(audit()))
    step = step.then(correct_recipient(step.session, ADA, Correction(name="Ada King"), audit()))
    step = step.then(step.session.view(ADA, audit()))
    step = step.then(correct_recipient(step.session, ADA, Correction(name="Ada Lovelace"), audit()))
    found = [names[ADA] for names in names_at_events(step.events, {ADA: "Ada Lovelace"})]
    assert found == ["Ada", "Ada", "Ada", "Ada", "Ada King", "Ada King"]
