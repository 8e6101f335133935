"""The command line: runs the whole service on one machine, a demonstration, and commands for operators.

Commands call use cases and open backends; rules, use cases and the service itself belong in the other folders.
"""
