"""The workflow of a session. Temporal replays this code: a change must pass `tests/workflows/test_replay.py`.

`signing_session` is the life of a session in one file.
"""
