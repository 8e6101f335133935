"""The block layout engine: a block document in, A4 pages, zones and issues out.

Pure: no I/O beyond reading the fonts it ships with, no clock, no randomness; the same document gives the same bytes
in every process. It imports nothing else of Undersign. `layout.engine` is the way in.
"""
