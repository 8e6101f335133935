"""Temporal workflows and their clients.

Effects belong in `activities`, of which workflows import the interface only, and rules of sessions in `domain`.
"""
