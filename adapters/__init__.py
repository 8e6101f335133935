"""Everything outside the process: stores, mail, keys, child processes, the Temporal connection.

Each implements a protocol in `ports`. One contract suite runs on the implementation and on its fake.
"""
