"""Having signed PDFs made, and their seals raised, from within a workflow."""

from temporalio import workflow

from activities.interface import (
    DOCUMENTS_QUEUE,
    GeneratedDocument,
    RaisedDocument,
    RaiseRequest,
)
from activities.interface import generate_document as generate_activity
from activities.interface import raise_seal as raise_activity
from domain.materials import Materials
from domain.session import Session, SessionFile
from workflows import policies


async def generate(session: Session, file: SessionFile) -> GeneratedDocument:
    """Returns when the signed PDF is stored, however long that takes."""
    return await workflow.execute_activity(
        generate_activity,
        Materials.of(session, file),
        task_queue=DOCUMENTS_QUEUE,
        start_to_close_timeout=policies.GENERATE_TIMEOUT,
        heartbeat_timeout=policies.HEARTBEAT,
        retry_policy=policies.GENERATE_RETRY,
        cancellation_type=policies.TO_ITS_END,
        summary=f"Generate {file.file_name}",
    )


async def raise_seal(session: Session, file: SessionFile) -> RaisedDocument:
    """Returns when the seal was raised as far as it can be now, however long that takes."""
    return await workflow.execute_activity(
        raise_activity,
        RaiseRequest(organisation_id=session.organisation_id, session_id=session.session_id, file=file),
        task_queue=DOCUMENTS_QUEUE,
        start_to_close_timeout=policies.GENERATE_TIMEOUT,
        heartbeat_timeout=policies.HEARTBEAT,
        retry_policy=policies.RAISE_RETRY,
        cancellation_type=policies.TO_ITS_END,
        summary=f"Raise the seal of {file.file_name}",
    )
