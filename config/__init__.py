"""The settings, read from the environment and checked, also for production; the identity of the installation.

Only entry points import it. Other code gets values as arguments; the type of a setting of one adapter belongs to it.
"""
