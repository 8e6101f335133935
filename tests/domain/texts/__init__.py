"""Tests of the rules for texts of others."""
