"""`/verify`: the page that checks sealed PDFs."""
