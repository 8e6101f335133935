"""Text: from characters to measured lines, plain ones and those that have to be shaped."""
