"""Every operation of the API as a value: its request, and the reader of its response.

A body is a mapping with the members of the description, a pydantic model, or JSON.
"""

from undersign.batch_operations import BatchOperations
from undersign.file_operations import FileOperations
from undersign.session_operations import SessionOperations
from undersign.template_operations import TemplateOperations


class Operations(SessionOperations, TemplateOperations, BatchOperations, FileOperations):
    """The operations of the API. On the class, a method returns the operation; on a client, it calls it."""
