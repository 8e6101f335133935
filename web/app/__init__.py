"""The organisation's own pages, under `/app`: who is signed in sees to sessions and templates."""
