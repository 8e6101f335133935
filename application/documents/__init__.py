"""Renders and checks block documents, renders page images, and verifies sealed PDFs."""
