"""SQLite or PostgreSQL: tables (SQLModel), repositories that map rows to records of `ports`, and migrations."""
