"""The effects of a session. `interface` is all that workflows see; the other modules do the work."""
