"""The pages in a real Chromium, on a whole installation that is started once for all of these tests."""
