"""Limits of the one-time codes that recipients get by email."""

from datetime import timedelta

CODE_LIFETIME = timedelta(minutes=10)


CODE_ATTEMPTS = 5
"""Wrong attempts after which a code stops working."""
