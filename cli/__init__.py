"""The command line: the whole service on one machine, its demonstration, and the operator's few acts."""
