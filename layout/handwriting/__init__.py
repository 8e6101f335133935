"""Typed signatures: images of names in a handwriting font."""
