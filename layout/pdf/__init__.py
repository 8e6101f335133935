"""PDF: from pages to the bytes of a file, and more on pages that exist."""
