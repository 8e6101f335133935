"""From blocks to pages: page breaks, headers, footers."""
