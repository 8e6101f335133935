"""The blocks of a document: each measures itself and draws itself."""
