"""Verification of sealed PDFs from the file and public certificates alone. For child processes only."""
