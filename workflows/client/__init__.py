"""Clients of Temporal: starting and updating workflows, reading histories, asking task queues.

Not replayed: this code may change freely.
"""
