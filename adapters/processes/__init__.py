"""Child processes: a pool with limits, its sandbox, and the main loop of a process."""
