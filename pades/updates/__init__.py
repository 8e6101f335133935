"""Check of the updates appended to a sealed PDF, by a strict grammar that accounts for every byte."""
