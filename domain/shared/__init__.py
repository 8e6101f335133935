"""Shared values and rules: identifiers, times, object names, errors."""
