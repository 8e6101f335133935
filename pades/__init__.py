"""PDF signatures (PAdES) as functions over bytes. Untrusted files are read in child processes only."""
