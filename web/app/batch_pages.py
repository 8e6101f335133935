"""Pages of batches: the list, the progress of a batch, and the upload of a CSV file for a template."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, NamedTuple

from fastapi import Depends, Request, Response
from pydantic_core import to_json

from application.batches.batch_actions import act_on_batch, delete_batch, get_batch, read_results, to_csv
from application.batches.create_batch import check_batch, create_batch
from application.batches.read_batch import read_csv_batch
from application.batches.read_csv import columns_of, read_lines
from application.errors import InvalidBatch, InvalidRequest, RequestIssue, TemplateArchived, TemplateNotActive
from application.templates.templates import get_template
from domain.shared.file_names import attachment
from domain.shared.limits import USUAL_ROWS_PER_MINUTE
from domain.shared.whole_numbers import read_whole_number
from domain.templates.template import Template, TemplateStatus
from web.app.app_router import WRITERS_ONLY, app_router
from web.app.current_user import CurrentCaller, CurrentUser, InjectedForm, InjectedUpload, SignedInUser
from web.app.responses import NO_PROBLEMS, flash_message_of, perform, redirect_with_flash, render_form
from web.app.template_pages import PER_PAGE, page_count, page_number
from web.asgi.dependencies import InjectedServices
from web.errors import PageNotFound
from web.html_response import render
from web.page_route import READ
from web.texts import APP

router = app_router("/batches")

HERE = "/app/batches"
MAX_FILE = 1_000_000
"""The size in bytes of the largest CSV file: 1 kB for each of 1,000 rows. The API accepts larger files."""

_SHOWN = 5
"""The number of rows in a preview."""

_ACTS = {"pause": "batch-paused", "resume": "batch-resumed", "cancel": "batch-cancelled"}
"""The key in the table `done` of `web/texts/app.toml` for each button."""


class FilePreview(NamedTuple):
    """The beginning of a CSV file: column heads, the first rows with their line numbers, and the number of rows."""

    heads: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]
    total: int


@dataclass(frozen=True, slots=True)
class BatchForm:
    """The form of a new batch. `file` is its CSV file; `name` and `per_minute` are as typed."""

    template: Template
    file: bytes
    name: str
    per_minute: str = str(USUAL_ROWS_PER_MINUTE)
    is_sent: bool = True

    @property
    def settings(self) -> bytes:
        """The request without its rows, as JSON. A pace that is not a number stays text, which validation refuses."""
        number = read_whole_number(self.per_minute)
        pace = self.per_minute if number is None else number
        members = {"name": self.name, "perMinute": pace, "sendImmediately": self.is_sent}
        return to_json({"templateId": self.template.template_id, **members})


@router.api_route("", methods=READ)
async def show_batches(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    """Shows the batches, the newest first."""
    page = page_number(request)
    listed = await services.batches.list(person.organisation_id, PER_PAGE, (page - 1) * PER_PAGE)
    return render(
        "app/batches.html",
        person=person,
        rows=listed.rows,
        total=listed.total,
        page=page,
        pages=page_count(listed.total),
        flash=flash_message_of(request),
    )


async def find_template(services: InjectedServices, person: CurrentUser, template_id: str) -> Template:
    """Returns the template. Raises `TemplateNotFound`."""
    return await get_template(services.templates, person.organisation_id, template_id)


InjectedTemplate = Annotated[Template, Depends(find_template)]


@router.api_route("/new/{template_id}", methods=READ, dependencies=[WRITERS_ONLY])
async def choose_file(template: InjectedTemplate, person: CurrentUser) -> Response:
    """Shows the form for the upload of a CSV file."""
    if template.status is not TemplateStatus.ACTIVE:
        return _not_active(template)
    return _upload_page(person, template)


@router.post("/preview/{template_id}")
async def preview_file(
    template: InjectedTemplate, services: InjectedServices, upload: InjectedUpload, caller: CurrentCaller
) -> Response:
    """Shows the first rows of the file and all issues; stores nothing."""
    if not upload.content or len(upload.content) > MAX_FILE:
        problem = APP.batch_file_too_large if upload.content else APP.batch_file_missing
        return _upload_page(upload.person, template, problem)
    form = BatchForm(template, upload.content, template.name)
    try:
        await check_batch(services, caller, await read_csv_batch(services, caller, form.settings, form.file))
    except (InvalidBatch, InvalidRequest) as refused:
        return _preview_page(upload.person, form, refused.message, refused.issues)
    except (TemplateArchived, TemplateNotActive):
        return _not_active(template)
    return _preview_page(upload.person, form)


@router.post("/new/{template_id}")
async def create(
    template: InjectedTemplate, services: InjectedServices, posted: InjectedForm, caller: CurrentCaller
) -> Response:
    """Creates the batch, and redirects to it; shows the preview again if there are issues."""
    typed = posted.form
    try:
        file = b64decode(typed.get("file", ""), validate=True)
    except ValueError:
        return redirect_with_flash(f"{HERE}/new/{template.template_id}")
    is_sent = typed.get("send", "") == "true"
    form = BatchForm(template, file, typed.get("name", "").strip(), typed.get("per_minute", "").strip(), is_sent)
    try:
        rows = await read_csv_batch(services, caller, form.settings, file)
        batch = await create_batch(services, caller, rows, posted.attempt)
    except (InvalidBatch, InvalidRequest) as refused:
        return _preview_page(posted.person, form, refused.message, refused.issues)
    except (TemplateArchived, TemplateNotActive):
        return _not_active(template)
    return redirect_with_flash(f"{HERE}/{batch.batch_id}", done="batch-created")


@router.api_route("/{batch_id}", methods=READ)
async def show_batch(request: Request, services: InjectedServices, person: CurrentUser, batch_id: str) -> Response:
    """Shows the progress of a batch, and its rows with their sessions."""
    batch = await get_batch(services, person.organisation_id, batch_id)
    page = page_number(request)
    shown = range(batch.total)[(page - 1) * PER_PAGE : page * PER_PAGE]
    return render(
        "app/batch.html",
        person=person,
        this=batch,
        rows=(await read_results(services, batch, shown)).results,
        page=page,
        pages=page_count(batch.total),
        flash=flash_message_of(request),
    )


@router.api_route("/{batch_id}/results.csv", methods=READ)
async def download_results(services: InjectedServices, person: CurrentUser, batch_id: str) -> Response:
    batch = await get_batch(services, person.organisation_id, batch_id)
    headers = {"Content-Disposition": attachment(f"{batch.name}.csv")}
    # With the mark, Excel reads the file as UTF-8.
    results = to_csv(await read_results(services, batch)).encode("utf-8-sig")
    return Response(results, media_type="text/csv", headers=headers)


@router.post("/{batch_id}/delete")
async def delete(services: InjectedServices, posted: InjectedForm, batch_id: str) -> Response:
    batch = await get_batch(services, posted.person.organisation_id, batch_id)
    return await perform(delete_batch(services, batch), f"{HERE}/{batch_id}", "batch-deleted", HERE)


@router.post("/{batch_id}/{act}")
async def act(services: InjectedServices, posted: InjectedForm, batch_id: str, act: str) -> Response:
    """Pauses, resumes or cancels the batch."""
    batch = await get_batch(services, posted.person.organisation_id, batch_id)
    if act not in _ACTS:
        raise PageNotFound
    action = act_on_batch(services, batch, act)  # type: ignore[arg-type]  # one of the three
    return await perform(action, f"{HERE}/{batch_id}", _ACTS[act])


def _not_active(template: Template) -> Response:
    return redirect_with_flash(f"/app/templates/{template.template_id}", error="template-not-active")


def _upload_page(person: SignedInUser, template: Template, problem: str = "") -> Response:
    problems = {"file": problem} if problem else NO_PROBLEMS
    return render_form("app/batch-new.html", problems, person=person, this=template, columns=columns_of(template))


def _preview_page(
    person: SignedInUser, form: BatchForm, message: str = "", found: Sequence[RequestIssue] = ()
) -> Response:
    """Shows the first rows of the file, and all issues that were `found`."""
    return render(
        "app/batch-preview.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if found else HTTPStatus.OK,
        person=person,
        form=form,
        preview=_preview(form.file),
        file=b64encode(form.file).decode(),
        message=message,
        issues=[issue for issue in found if issue.path not in _OWN],
        problems={_OWN[issue.path]: issue.message for issue in found if issue.path in _OWN},
    )


_OWN = {"/name": "name", "/perMinute": "per_minute"}
"""The name of the input, by the path of its issues."""


def _preview(file: bytes) -> FilePreview:
    try:
        (_, heads), *rows = read_lines(file)
    except InvalidBatch:
        return FilePreview((), (), 0)
    return FilePreview(heads, rows[:_SHOWN], len(rows))
