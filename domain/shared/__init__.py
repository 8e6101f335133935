"""Small rules that several parts need: identifiers, times, names of objects, errors."""
