"""Everything that touches the outside: stores, mail, keys, child processes, the Temporal connection.

Each has a protocol, a real implementation and a fake that keeps the same promises; one contract suite runs on all.
"""
