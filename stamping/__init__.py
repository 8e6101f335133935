"""From submissions to PDF pages that show them, for previews and for sealing."""
