"""Checking sealed PDFs, from the file and the public certificates alone. The files are anybody's: child processes only.

form         the file as bytes: whole, one PDF, and nothing hidden in the room of a seal
signatures   the seals and signatures in it, and what was added after each
judging      whose certificate, believed or not, at which proven time, to which level
certificate  of a certificate of completion: its JSON and the chain of events in it
examining    all of it together, as a report
"""
