"""Tests of `domain.ports`."""
