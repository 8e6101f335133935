"""The one way to have people warned of pauses, on Temporal."""

from temporalio.client import Client
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from activities.interface import SESSIONS_QUEUE
from domain.callbacks.delivery import Pause
from domain.shared.workflow_ids import pause_id
from workflows.callbacks.pause_warning import PauseWarningWorkflow
from workflows.client.rpc_errors import to_unavailable
from workflows.client.session_runs import START_TIMEOUT, fairness_priority


class TemporalPauseNotifier:
    """Implements `activities.callbacks.PauseNotifier`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, pause: Pause) -> None:
        try:
            await self._client.start_workflow(
                PauseWarningWorkflow.run,
                pause,
                id=pause_id(pause),
                task_queue=SESSIONS_QUEUE,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
                static_summary=f"Callbacks to {pause.receiver} are paused",
                priority=fairness_priority(pause.organisation_id),
                rpc_timeout=START_TIMEOUT,
            )
        except WorkflowAlreadyStartedError:
            return
        except RPCError as error:
            raise to_unavailable(error) from error
