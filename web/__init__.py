"""HTML pages for recipients, for users of an organisation and for verifying PDFs."""
