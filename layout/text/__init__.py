"""Text: from characters to measured lines, both plain and shaped."""
