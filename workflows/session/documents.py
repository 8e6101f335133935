"""Having signed PDFs made, and their seals raised, from within a workflow."""

from temporalio import workflow

from activities.interface import (
    DOCUMENTS_QUEUE,
    AugmentedDocument,
    AugmentRequest,
    GeneratedDocument,
)
from activities.interface import augment_seal as raise_activity
from activities.interface import generate_document as generate_activity
from domain.seal.materials import Materials
from domain.session.session import Session
from domain.session.snapshot import SessionFile
from workflows.session import activity_options


async def generate(session: Session, file: SessionFile) -> GeneratedDocument:
    """Returns when the signed PDF is stored, however long that takes."""
    return await workflow.execute_activity(
        generate_activity,
        Materials.of(session, file),
        task_queue=DOCUMENTS_QUEUE,
        start_to_close_timeout=activity_options.GENERATE_TIMEOUT,
        heartbeat_timeout=activity_options.HEARTBEAT,
        retry_policy=activity_options.GENERATE_RETRY,
        cancellation_type=activity_options.FINISH_BEFORE_CANCEL,
        summary=f"Generate {file.file_name}",
    )


async def augment_seal(session: Session, file: SessionFile) -> AugmentedDocument:
    """Returns when the seal was raised as far as it can be now, however long that takes."""
    return await workflow.execute_activity(
        raise_activity,
        AugmentRequest(organisation_id=session.organisation_id, session_id=session.session_id, file=file),
        task_queue=DOCUMENTS_QUEUE,
        start_to_close_timeout=activity_options.GENERATE_TIMEOUT,
        heartbeat_timeout=activity_options.HEARTBEAT,
        retry_policy=activity_options.AUGMENT_RETRY,
        cancellation_type=activity_options.FINISH_BEFORE_CANCEL,
        summary=f"Raise the seal of {file.file_name}",
    )
