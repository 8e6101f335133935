"""The workflows that workers run."""

from workflows.callbacks.callback_delivery import CallbackDeliveryWorkflow
from workflows.callbacks.pause_warning import PauseWarningWorkflow
from workflows.session.erasure import ErasureWorkflow
from workflows.session.signing_session import SigningSessionWorkflow

WORKFLOWS = (SigningSessionWorkflow, ErasureWorkflow, PauseWarningWorkflow)
"""Those of the task queue of sessions."""

CALLBACK_WORKFLOWS = (CallbackDeliveryWorkflow,)
"""Those of the task queue of callbacks."""

WORKFLOW_TYPES = ("SigningSession", "Erasure", "PauseWarning", "CallbackDelivery")
"""Their names in the Temporal UI, in that order."""
