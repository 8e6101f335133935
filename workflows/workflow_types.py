"""The workflows that workers run."""

from workflows.batch import BatchWorkflow
from workflows.callbacks import CallbackDeliveryWorkflow, PauseWarningWorkflow
from workflows.session.erasure import ErasureWorkflow
from workflows.session.signing_session import SigningSessionWorkflow

WORKFLOWS = (SigningSessionWorkflow, ErasureWorkflow, PauseWarningWorkflow, BatchWorkflow)
"""The workflows of the session task queue."""

CALLBACK_WORKFLOWS = (CallbackDeliveryWorkflow,)
"""The workflows of the callback task queues."""

WORKFLOW_TYPES = ("SigningSession", "Erasure", "PauseWarning", "Batch", "CallbackDelivery")
"""The names of all workflows in the Temporal UI."""
