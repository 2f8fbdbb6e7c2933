"""What is measured for `kalooki bench --peers`: our package and each peer, a script for each.

A script needs only the standard library and the package it measures, see `serve`.
"""
