"""Block documents: laid out, previewed, shown as page images, checked; and sealed PDFs verified."""
