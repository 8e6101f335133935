"""PDF: writes pages as the bytes of a file, and draws on existing pages."""
