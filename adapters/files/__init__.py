"""Files written atomically, and private to the user of the process."""
