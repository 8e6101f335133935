"""SQLite or PostgreSQL: tables (SQLModel), repositories that map rows to records of `domain.ports`, and migrations."""
