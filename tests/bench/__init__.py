"""Measuring the engine against others: `make bench-layout`. No tests; the packages it needs are the group `bench`."""
