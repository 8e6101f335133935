"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)
_ID = sa.String(36)
_SHA256 = sa.String(64)

_TABLES = (
    *("organisations", "clients", "users", "sessions", "recipients", "labels", "external_ids", "events", "tombstones"),
    *("feed", "feed_heads", "images", "files", "upload_uses", "due_objects", "sender_identities", "templates"),
    *("batches", "idempotency_keys", "form_drafts", "email_codes", "signing_urls"),
    *("callbacks", "callback_attempts", "callback_receivers", "webhook_secrets"),
    *("sign_in_links", "sign_ins", "applications", "approvals", "grants", "refresh_tokens", "budgets", "spendings"),
)
"""The tables in the order of their creation: a table follows those that it references."""

_ORDERS = {
    "update": ("updated_at", "session_id", "folded_name"),
    "creation": ("created_at", "session_id", "folded_name"),
    "completion": ("completed_at", "session_id", "folded_name"),
    "name": ("folded_name", "session_id"),
}
_NULLS_FIRST = {"completed_at": sa.text("completed_at NULLS FIRST")}

_NAMES_OF_SQLITE = (
    """CREATE TABLE session_numbers (
        number INTEGER PRIMARY KEY, organisation_id VARCHAR(36) NOT NULL, session_id VARCHAR(36) NOT NULL,
        UNIQUE (organisation_id, session_id))""",
    # The index stores no texts, so the triggers pass the old ones to delete. A line feed begins each name and address.
    """CREATE VIRTUAL TABLE session_names USING fts5(
        name, people, content='', columnsize=0, tokenize='trigram case_sensitive 1')""",
    """CREATE TRIGGER session_is_named AFTER INSERT ON sessions BEGIN
        INSERT INTO session_numbers (organisation_id, session_id) VALUES (new.organisation_id, new.session_id);
        INSERT INTO session_names (rowid, name, people)
            SELECT number, char(10) || new.folded_name, new.people FROM session_numbers
            WHERE organisation_id = new.organisation_id AND session_id = new.session_id;
    END""",
    """CREATE TRIGGER session_is_renamed AFTER UPDATE OF folded_name, people ON sessions
        WHEN old.folded_name <> new.folded_name OR old.people <> new.people BEGIN
        INSERT INTO session_names (session_names, rowid, name, people)
            SELECT 'delete', number, char(10) || old.folded_name, old.people
            FROM session_numbers WHERE organisation_id = old.organisation_id AND session_id = old.session_id;
        INSERT INTO session_names (rowid, name, people)
            SELECT number, char(10) || new.folded_name, new.people FROM session_numbers
            WHERE organisation_id = new.organisation_id AND session_id = new.session_id;
    END""",
    """CREATE TRIGGER session_is_deleted AFTER DELETE ON sessions BEGIN
        INSERT INTO session_names (session_names, rowid, name, people)
            SELECT 'delete', number, char(10) || old.folded_name, old.people
            FROM session_numbers WHERE organisation_id = old.organisation_id AND session_id = old.session_id;
        DELETE FROM session_numbers
            WHERE organisation_id = old.organisation_id AND session_id = old.session_id;
    END""",
)


def upgrade() -> None:
    _create_organisations()
    _create_sessions()
    _create_labels()
    _index_sessions()
    _create_histories()
    _create_uploads()
    _create_upload_uses()
    _create_templates()
    _create_batches()
    _create_drafts()
    _create_callbacks()
    _create_webhook_secrets()
    _create_sign_ins()
    _create_applications()
    _create_grants()


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for trigger in ("session_is_deleted", "session_is_renamed", "session_is_named"):
            op.execute(f"DROP TRIGGER {trigger}")
        op.drop_table("session_names")
        op.drop_table("session_numbers")
    for table in reversed(_TABLES):
        op.drop_table(table)


def _create_organisations() -> None:
    op.create_table(
        "organisations",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("time_zone", sa.String(64), nullable=False, server_default="UTC"),
        sa.Column("frame_origins", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("language", sa.String(8)),
    )
    op.create_table(
        "clients",
        sa.Column("client_id", _ID, primary_key=True),
        sa.Column("organisation_id", _ID, sa.ForeignKey("organisations.organisation_id"), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("secret_sha256", _SHA256, nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("revoked_at", _TIME),
    )
    op.create_index("ix_clients_organisation_id", "clients", ["organisation_id"])
    op.create_table(
        "users",
        sa.Column("user_id", _ID, primary_key=True),
        sa.Column("organisation_id", _ID, sa.ForeignKey("organisations.organisation_id"), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("role", sa.String(13), nullable=False, server_default="administrator"),
        sa.Column("disabled_at", _TIME),
        sa.Column("notifications", sa.JSON(), nullable=False, server_default='["declined", "completed", "expired"]'),
    )
    op.create_index("ix_users_organisation_id", "users", ["organisation_id"])
    op.create_index("users_by_email", "users", ["email", "organisation_id"], unique=True)


def _create_sessions() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    # Sorts by code point, as SQLite does.
    bytewise = sa.Text() if is_sqlite else sa.Text(collation="C")
    op.create_table(
        "sessions",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("status", sa.String(24), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("updated_at", _TIME, nullable=False),
        sa.Column("completed_at", _TIME),
        # Before the snapshot: SQLite reads a long row from its beginning.
        sa.Column("folded_name", bytewise, nullable=False, server_default=""),
        sa.Column("people", bytewise, nullable=False, server_default=""),
        sa.Column("snapshot", sa.JSON(), nullable=False),
        sa.Column("start_at", _TIME),
        sa.Column("needs_run", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("stopped_at", _TIME),
    )
    for index, column, condition in (
        ("sessions_to_start", "start_at", "start_at IS NOT NULL"),
        ("sessions_stopped", "stopped_at", "stopped_at IS NOT NULL"),
        ("sessions_with_run", "session_id", "needs_run = 1" if is_sqlite else "needs_run"),
    ):
        where = sa.text(condition)
        op.create_index(index, "sessions", [column], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "recipients",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("email", sa.String(320), primary_key=True),
    )
    op.create_index("recipients_by_email", "recipients", ["organisation_id", "email", "session_id"])


def _create_labels() -> None:
    op.create_table(
        "labels",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("name", sa.String(50), primary_key=True),
        sa.Column("value", sa.String(500), nullable=False),
    )
    op.create_index("labels_by_value", "labels", ["organisation_id", "name", "value", "session_id"])
    op.create_table(
        "external_ids",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("external_id", sa.String(200), primary_key=True),
        sa.Column("session_id", _ID, nullable=False),
    )
    op.create_index("external_ids_by_session", "external_ids", ["organisation_id", "session_id"])


def _index_sessions() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for order, columns in _ORDERS.items():
        places = columns if is_sqlite else [_NULLS_FIRST.get(column, column) for column in columns]
        op.create_index(f"sessions_by_{order}", "sessions", ["organisation_id", *places])
        op.create_index(f"sessions_by_status_and_{order}", "sessions", ["organisation_id", "status", *places])
    if is_sqlite:
        for statement in _NAMES_OF_SQLITE:
            op.execute(statement)


def _create_histories() -> None:
    op.create_table(
        "events",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("sequence", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("event", sa.JSON(), nullable=False),
    )
    op.create_table(
        "tombstones",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("erased_at", _TIME, nullable=False),
        sa.Column("receipt", sa.Text()),
        sa.Column("erase_at", _TIME),
        sa.Column("mails", sa.Text()),
    )
    to_erase = sa.text("erase_at IS NOT NULL")
    op.create_index("tombstones_to_erase", "tombstones", ["erase_at"], sqlite_where=to_erase, postgresql_where=to_erase)
    op.create_table(
        "feed",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("position", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(16), nullable=False, server_default=""),
    )
    op.create_index("feed_by_session", "feed", ["organisation_id", "session_id"])
    op.create_table(
        "feed_heads",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("last", sa.BigInteger(), nullable=False),
    )


def _create_uploads() -> None:
    content = (("object_name", sa.String(300)), ("object_size", sa.Integer()), ("object_sha256", _SHA256))
    op.create_table(
        "images",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("image_id", _ID, primary_key=True),
        sa.Column("file_name", sa.String(255), nullable=False),
        sa.Column("content_type", sa.String(40), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        *(sa.Column(name, kind, nullable=False) for name, kind in content),
        sa.Column("uploaded_at", _TIME, nullable=False),
    )
    op.create_table(
        "files",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("file_id", _ID, primary_key=True),
        sa.Column("file_name", sa.String(260), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        *(sa.Column(name, kind, nullable=False) for name, kind in content),
        sa.Column("uploaded_at", _TIME, nullable=False),
    )
    op.create_table(
        "sender_identities",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("logo", sa.LargeBinary()),
        sa.Column("logo_width", sa.Integer()),
        sa.Column("logo_height", sa.Integer()),
        sa.Column("sender_name", sa.String(100)),
        sa.Column("accent", sa.String(7)),
        sa.Column("imprint_url", sa.Text()),
        sa.Column("privacy_url", sa.Text()),
    )


def _create_upload_uses() -> None:
    op.create_table(
        "upload_uses",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("upload_id", _ID, primary_key=True),
        sa.Column("user_id", _ID, primary_key=True),
        sa.Column("since", _TIME, nullable=False),
    )
    op.create_index("upload_uses_by_user", "upload_uses", ["organisation_id", "user_id"])
    op.create_table(
        "due_objects",
        sa.Column("prefix", sa.String(300), primary_key=True),
        sa.Column("due_at", _TIME, nullable=False),
    )
    op.create_index("due_objects_by_time", "due_objects", ["due_at"])


def _create_templates() -> None:
    op.create_table(
        "templates",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("template_id", _ID, primary_key=True),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("status_before_archive", sa.String(8)),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("updated_at", _TIME, nullable=False),
        sa.Column("recipient_count", sa.Integer(), nullable=False),
        sa.Column("has_variables", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("has_next_version", sa.Boolean(), nullable=False),
        sa.Column("template", sa.JSON(), nullable=False),
        sa.Column("next_version", sa.JSON()),
    )
    op.create_index("templates_by_status", "templates", ["organisation_id", "status", "updated_at", "template_id"])
    op.create_table(
        "idempotency_keys",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("request_sha256", _SHA256, nullable=False),
        sa.Column("since", _TIME, nullable=False),
        sa.Column("tried_at", _TIME),
        sa.Column("session_id", _ID),
        sa.Column("answer", sa.Text()),
    )
    op.create_index("idempotency_keys_by_age", "idempotency_keys", ["since"])
    op.create_index("idempotency_keys_by_session", "idempotency_keys", ["organisation_id", "session_id"])


def _create_batches() -> None:
    counts = ("revision", "total", "per_minute", "checked", "issue_count", "done", "failed_count")
    op.create_table(
        "batches",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("batch_id", _ID, primary_key=True),
        sa.Column("template_id", _ID, nullable=False),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("is_sent", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(9), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in counts),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("updated_at", _TIME, nullable=False),
        sa.Column("start_at", _TIME),
        *(sa.Column(name, sa.JSON(), nullable=False) for name in ("content", "issues", "failed")),
    )
    op.create_index("batches_by_creation", "batches", ["organisation_id", "created_at", "batch_id"])
    op.create_index("batches_to_start", "batches", ["start_at"])


def _create_drafts() -> None:
    recipient = ("organisation_id", "session_id", "recipient_id")
    op.create_table(
        "form_drafts",
        *(sa.Column(name, _ID, primary_key=True) for name in recipient),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("saved_at", _TIME, nullable=False),
    )
    op.create_table(
        "email_codes",
        *(sa.Column(name, _ID, primary_key=True) for name in recipient),
        sa.Column("code_hash", _SHA256, nullable=False),
        sa.Column("tries_left", sa.Integer(), nullable=False),
        sa.Column("sent_at", _TIME, nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
        sa.Column("window_began_at", _TIME, nullable=False),
        sa.Column("sent_in_window", sa.Integer(), nullable=False),
        sa.Column("guesses", sa.Integer(), nullable=False, server_default="0"),
    )
    op.create_table(
        "signing_urls",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("secret_sha256", _SHA256, primary_key=True),
        sa.Column("recipient_id", _ID, nullable=False),
        sa.Column("invitation", sa.Integer(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text()),
        sa.Column("return_url", sa.Text()),
        sa.Column("ends_at", _TIME, nullable=False),
        sa.Column("used_at", _TIME),
    )


def _create_callbacks() -> None:
    op.create_table(
        "callbacks",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("event_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("receiver", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("status", sa.String(9), nullable=False),
        sa.Column("next_attempt_at", _TIME),
        sa.Column("is_held", sa.Boolean(), nullable=False),
        sa.Column("begin_at", _TIME),
    )
    op.create_index("callbacks_by_session", "callbacks", ["organisation_id", "session_id", "sequence"])
    op.create_index("callbacks_held", "callbacks", ["organisation_id", "is_held"])
    to_begin = sa.text("begin_at IS NOT NULL")
    op.create_index("callbacks_to_begin", "callbacks", ["begin_at"], sqlite_where=to_begin, postgresql_where=to_begin)
    op.create_table(
        "callback_attempts",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("event_id", _ID, primary_key=True),
        sa.Column("run_id", _ID, primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("status_code", sa.Integer()),
        sa.Column("error", sa.Text()),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
    )
    op.create_index("callback_attempts_by_session", "callback_attempts", ["organisation_id", "session_id"])
    op.create_table(
        "callback_receivers",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("receiver", sa.Text(), primary_key=True),
        sa.Column("failing_since", _TIME, nullable=False),
        sa.Column("last_failed_at", _TIME, nullable=False),
        sa.Column("paused_since", _TIME),
    )


def _create_webhook_secrets() -> None:
    op.create_table(
        "webhook_secrets",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("ends_at", _TIME),
    )


def _create_sign_ins() -> None:
    op.create_table(
        "sign_in_links",
        sa.Column("secret_sha256", _SHA256, primary_key=True),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("goes_to", sa.Text(), nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
    )
    op.create_index("sign_in_links_by_email", "sign_in_links", ["email"])
    op.create_index("sign_in_links_by_end", "sign_in_links", ["ends_at"])
    op.create_table(
        "sign_ins",
        sa.Column("secret_sha256", _SHA256, primary_key=True),
        sa.Column("user_id", _ID, sa.ForeignKey("users.user_id"), nullable=False),
        sa.Column("began_at", _TIME, nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
    )
    op.create_index("ix_sign_ins_user_id", "sign_ins", ["user_id"])
    op.create_index("sign_ins_by_end", "sign_ins", ["ends_at"])


def _create_applications() -> None:
    op.create_table(
        "applications",
        sa.Column("application_id", _ID, primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("redirect_uris", sa.JSON(), nullable=False),
        sa.Column("auth_method", sa.String(30), nullable=False),
        sa.Column("secret_sha256", _SHA256),
        sa.Column("registered_at", _TIME, nullable=False),
        sa.Column("approved_at", _TIME),
    )
    op.create_index("applications_by_approval", "applications", ["approved_at", "registered_at"])
    op.create_table(
        "approvals",
        sa.Column("code_sha256", _SHA256, primary_key=True),
        sa.Column("client_id", _ID, nullable=False),
        sa.Column("application_id", _ID, sa.ForeignKey("applications.application_id"), nullable=False),
        sa.Column("organisation_id", _ID, nullable=False),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("challenge", sa.String(43), nullable=False),
        sa.Column("resource", sa.Text()),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("recipients_per_day", sa.Integer()),
        sa.Column("domains", sa.JSON(), nullable=False),
        sa.Column("approved_at", _TIME, nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
        sa.Column("used_at", _TIME),
    )
    op.create_index("ix_approvals_application_id", "approvals", ["application_id"])
    op.create_index("approvals_by_end", "approvals", ["ends_at"])


def _create_grants() -> None:
    op.create_table(
        "grants",
        sa.Column("client_id", _ID, sa.ForeignKey("clients.client_id"), primary_key=True),
        sa.Column("application_id", _ID, sa.ForeignKey("applications.application_id"), nullable=False),
        sa.Column("user_id", _ID, sa.ForeignKey("users.user_id"), nullable=False),
        sa.Column("approved_at", _TIME, nullable=False),
    )
    op.create_index("ix_grants_application_id", "grants", ["application_id"])
    op.create_index("ix_grants_user_id", "grants", ["user_id"])
    op.create_table(
        "refresh_tokens",
        sa.Column("secret_sha256", _SHA256, primary_key=True),
        sa.Column("client_id", _ID, sa.ForeignKey("grants.client_id"), nullable=False),
        sa.Column("application_id", _ID, nullable=False),
        sa.Column("resource", sa.Text()),
        sa.Column("issued_at", _TIME, nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
        sa.Column("used_at", _TIME),
    )
    op.create_index("ix_refresh_tokens_client_id", "refresh_tokens", ["client_id"])
    op.create_index("refresh_tokens_by_end", "refresh_tokens", ["ends_at"])
    op.create_table(
        "budgets",
        sa.Column("client_id", sa.Text(), primary_key=True),
        sa.Column("recipients_per_day", sa.Integer()),
        sa.Column("domains", sa.JSON(), nullable=False),
    )
    op.create_table(
        "spendings",
        sa.Column("client_id", sa.Text(), primary_key=True),
        sa.Column("act", sa.String(120), primary_key=True),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("recipients", sa.Integer(), nullable=False),
    )
