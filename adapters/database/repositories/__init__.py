"""Reads and writes of the database: one repository for each kind of record, which implements its port."""
