"""Measurements that take minutes or other people's packages; run them from the top of a clone."""
