"""Having signed PDFs made, and their seals raised, from within a workflow."""

from temporalio import workflow

from activities.interface import (
    DOCUMENTS_QUEUE,
    GeneratedDocument,
    GenerateRequest,
    RaisedDocument,
    RaiseRequest,
    Signatory,
)
from activities.interface import generate_document as generate_activity
from activities.interface import raise_seal as raise_activity
from domain.recipients import RecipientVerification
from domain.session import Session, SessionFile
from domain.statements import Identified
from workflows import policies


async def generate(session: Session, file: SessionFile) -> GeneratedDocument:
    """Returns when the signed PDF is stored, however long that takes."""
    by_code = session.recipient_verification is RecipientVerification.EMAIL_CODE
    request = GenerateRequest(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        file=file,
        signatories=tuple(
            Signatory(
                key=r.key,
                name=r.name,
                email=r.email,
                identified_by=Identified.CODE if by_code else Identified.LINK,
                completed_at=r.completed_at,
                submission=r.submission,
            )
            for r in session.recipients
            if r.completed_at and r.submission
        ),
    )
    return await workflow.execute_activity(
        generate_activity,
        request,
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
