"""The pages of a recipient: invitation, email code, signing, review, approval, decline, delegation, downloads."""
