"""What may be appended to a sealed PDF: a strict grammar that accounts for every byte."""
