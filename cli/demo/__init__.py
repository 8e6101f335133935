"""`undersign demo`: a client and two recipients sign an agreement."""
