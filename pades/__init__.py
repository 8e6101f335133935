"""PDF signatures (PAdES): made, checked and augmented, as pure functions over bytes.

Only this package and `adapters.sealing` import pyHanko. Files of others are read in child processes only.
"""
