"""PDF signatures (PAdES): creation, validation and augmentation, as pure functions over bytes.

Only this package and `adapters.sealing` import pyHanko. Untrusted files are read in child processes only.
"""
