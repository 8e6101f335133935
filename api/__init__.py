"""HTTP: the v1 API, token endpoint, pages, and the command line. It reads sessions and asks workflows; it decides
nothing about signing.
"""
