"""The key of the seal: in a file, on a token (PKCS #11), in Google Cloud KMS, or of the local authority."""
