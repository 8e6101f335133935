"""Stamping: draws submissions onto the pages of PDFs, for previews and for sealing."""
