"""The updates of a session's run: each applies a transition, and returns the session after it at once."""

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from domain.ports.session_requests import COMMANDS, ActionResult, RestoreRequest, SessionCommand, ViewRequest
    from domain.session.session import Session, Transition


class SessionUpdates:
    """The update handlers of a workflow that holds a session: one for each of `COMMANDS`."""

    _session: Session
    _cancel_requested: bool

    def _commit(self, step: Transition, *, must_record: bool = True) -> ActionResult:
        """Replaces the session with that of the transition, and returns the result of the update."""
        raise NotImplementedError

    def _act(self, command: SessionCommand) -> ActionResult:
        if isinstance(command, RestoreRequest):
            self._cancel_requested = False
        # A view is written by its caller. If the caller fails, the next action, reminder or view writes it.
        step = command.at(workflow.now()).decide(self._session)
        return self._commit(step, must_record=not isinstance(command, ViewRequest))

    def _check(self, command: SessionCommand) -> None:
        command.at(workflow.now()).check(self._session)


def _add_update(kind: type[SessionCommand]) -> None:
    """Adds handler and validator of a command. The SDK reads the type of the argument from the annotations."""

    async def handle(self: SessionUpdates, command: SessionCommand) -> ActionResult:
        return self._act(command)

    def check(self: SessionUpdates, command: SessionCommand) -> None:
        self._check(command)

    handle.__name__ = handle.__qualname__ = kind.update
    handle.__annotations__ = {"command": kind, "return": ActionResult}
    check.__annotations__ = {"command": kind, "return": None}
    update = workflow.update(name=kind.update, description=kind.summary)(handle)
    update.validator(check)
    setattr(SessionUpdates, kind.update, update)


for _kind in COMMANDS:
    _add_update(_kind)
