"""The command line: runs the whole service on one machine, a demonstration, and commands for operators."""
