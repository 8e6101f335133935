"""Files that clients upload: images and PDFs."""
