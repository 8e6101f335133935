"""Create batches, their rows, and act on them."""
