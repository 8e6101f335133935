"""Tests of `ports`."""
