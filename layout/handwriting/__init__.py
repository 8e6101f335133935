"""Names written as by hand: the picture that stands for a typed signature.

Two fonts, both under the SIL Open Font License: Dancing Script (Latin with all its accents, Vietnamese too) and Caveat
(Cyrillic). What neither has is set in the engine's own letters, slanted where they have a slanted cut.
"""
