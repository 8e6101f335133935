"""Tests that time grows no faster than the length of a text, wherever a text enters."""
