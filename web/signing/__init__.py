"""The pages of a recipient: invitation, code, signing, review, decline, downloads."""
