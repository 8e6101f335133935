"""The workflow of a session. Temporal replays this code: a change must pass `tests/workflows/test_replay.py`."""
