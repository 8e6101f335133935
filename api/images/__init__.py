"""Images: uploaded, cleaned, kept for an organisation, and handed to the documents that show them. Spec: 2.10."""
