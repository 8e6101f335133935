"""The pages in a real Chromium, on one installation for all tests."""
