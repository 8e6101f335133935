"""The block layout engine: from a block document to A4 pages, zones and issues.

The engine is pure: it reads its fonts only, and uses no clock and no randomness, so the same document gives the same
bytes in every process. It imports no other package of Undersign. `layout.engine` is the entry point.

schema       block documents as clients write them, themes, images
blocks       the kinds of blocks: each measures itself and lays itself out
text         fonts, shaping and line breaking
paging       pages, header bands, footers
checks       issues and warnings of a document
pdf          PDF files: new ones, existing ones, page images
zones        zones, and drawing values into them
reports      pages that the service writes itself
handwriting  images of typed signatures
"""
