"""Damaged files: whatever a stranger, a full disk or a cut line may leave where the package reads.

Every altered file is either read and right, or refused in one sentence of the package's own. Any
other error, a wait without end, and anything run that stood in the file is a fault. A module for
each kind of file; `python -m tests.damage` runs them all.
"""
