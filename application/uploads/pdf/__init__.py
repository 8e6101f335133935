"""PDF files: uploaded, checked, kept for an organisation, and sent with sessions as reference (Specification 2.13)."""
