"""HTML pages for recipients, for members of an organisation and for verifying PDFs."""
