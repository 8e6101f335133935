"""Evidence: events, their hash chain, the data of the certificate, and receipts of deletion."""
