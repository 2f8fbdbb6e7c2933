"""The compiled engine: one deal and one match of Kalooki on plain records.

Read `layout` first (what a game is), then `solver` (which melds a hand can lay), `moves` (what a
move changes), `legal` (which moves there are), `apply` (one action after another), `scoring` and
`observe`. Every compiled function takes arrays of the caller and an index; nothing is allocated in
a step.
"""
