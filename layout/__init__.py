"""The block layout engine: from a block document to A4 pages, zones and issues.

It reads only its fonts, and uses no clock and no randomness, so a document gives the same bytes in every process.
`layout.engine` is the entry point. No session, recipient and seal belongs here; of other folders it imports
`domain.texts` only.
"""
