"""Verification of sealed PDFs from the file and public certificates alone. Child processes only: files are untrusted.

file_structure          the bytes of the file: one complete PDF, nothing before or after it
cms_container           canonical encoding of a signature container
signatures              the signatures in a file, and the additions after each
signature_validation    signer certificate, trusted time, revocation and PAdES level of one signature
certificate_attachment  JSON of a certificate of completion, with its hash chain of events
report_messages         findings in words
verify_file             all checks together, as a report
"""
