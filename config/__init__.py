"""Settings: reading them, their types, and the checks before production. `settings` lists them."""
