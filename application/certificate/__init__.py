"""The certificate of completion: its facts, and its pages."""
