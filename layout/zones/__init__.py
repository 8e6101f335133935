"""Zones: where recipients fill in and sign, and what is drawn there."""
