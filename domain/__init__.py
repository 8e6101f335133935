"""The rules of signing in plain Python: no I/O, no clock, no framework.

What is here is true whatever engine runs it: identifiers, the session and its recipients (a state machine),
the events that prove what happened, the fields a recipient fills in, and the errors that say what is wrong.
"""
