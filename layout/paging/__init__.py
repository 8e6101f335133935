"""Pages: pagination of blocks, header bands and footers."""
