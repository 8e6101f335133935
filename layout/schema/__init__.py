"""Block documents as JSON: the models, and every check that needs no layout."""
