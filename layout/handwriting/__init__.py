"""Typed signatures: images of names in a handwriting font.

Two fonts, both under the SIL Open Font License: Dancing Script (Latin, Vietnamese included) and Caveat (Cyrillic). Text
in other scripts uses the fonts of the engine, in italics where they have them.
"""
