"""HTML pages for recipients, users and visitors who verify PDFs; in `web.asgi`, the base of all HTTP interfaces.

JSON belongs in `api`, which mounts the pages, and use cases in `application`.
"""
