"""Creates batches and the sessions of their rows, and acts on batches."""
