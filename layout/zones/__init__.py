"""Zones, where recipients fill in and sign, and drawing of their values."""
