"""The tables of the database, as SQLModel classes. A change needs a migration."""
