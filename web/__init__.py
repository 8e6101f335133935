"""HTML pages: for recipients, for people of an organisation, and for everybody who verifies a PDF.

A page calls use cases in `application`, like a route of the API.
"""
