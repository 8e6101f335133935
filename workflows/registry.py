"""The workflows that workers run."""

from workflows.closed_session import ClosedSessionWorkflow
from workflows.erasure import ErasureWorkflow
from workflows.signing_session import SigningSessionWorkflow

WORKFLOWS = (SigningSessionWorkflow, ClosedSessionWorkflow, ErasureWorkflow)
TYPES = ("SigningSession", "ClosedSession", "Erasure")
"""Their names in the Temporal UI, in that order."""
