"""Child processes: a pool with limits, how its children are confined, and the main loop of a process."""
