"""Where the key of the seal is: in a file, in a token (PKCS #11), in Google Cloud KMS, or made here."""
