"""Protocols that adapters implement, and the records that they return.

Use cases, activities, routes and pages import these; only entry points choose implementations. No rule of the domain
imports them.
"""
