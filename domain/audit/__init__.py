"""Audit trail: events, their hash chain, the data of the certificate, and deletion receipts."""
