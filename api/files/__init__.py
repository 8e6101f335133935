"""PDF files: uploaded, checked, kept for an organisation, and sent along with sessions as reference (contract 13)."""
