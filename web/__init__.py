"""HTML pages for recipients, for members of an organisation and for verifying PDFs.

A page calls use cases in `application`, like a route of the API.
"""
