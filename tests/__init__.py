"""The tests. They mirror the tree of the product."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The root of the repository."""
