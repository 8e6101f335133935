"""Batches: many sessions from one template."""
