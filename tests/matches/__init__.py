"""Whole matches to their end, every deal entered in independent books: `python -m tests.matches`.

Most matches are played by greedy, some by seats that lay what they can at random, some by greedy
among seats that play at random. After every deal and every buy-in what the engine says is compared
with `tests/oracle/bookkeeping.py`: totals, ledgers, pool, who is out, who decides, who has won.
"""
