"""Rules for texts of others, shared by `domain` and `layout`. They import nothing else of the project."""
