"""Images: uploaded, cleaned, kept for an organisation, and given to documents that show them. Specification 2.10."""
