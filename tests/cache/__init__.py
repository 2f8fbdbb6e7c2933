"""The cache of compiled code in bad company: foreign, damaged, missing, read-only, full."""
