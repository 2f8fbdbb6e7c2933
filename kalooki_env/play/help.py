"""What `help` says at the plain table."""

HELP = """\
Moves (capitals don't matter; ? is this help)
  draw                   take the top card of the stock
  take                   take the top card of the discard pile
  meld JS QS KS AS       lay a meld; * is a joker, *6C one that stands for 6C in a run
  add 8C @2              lay a card off on meld 2 (add *8C @2, add * @2 for a joker)
  swap 6C @2             give the card that a joker stands for and take the joker;
                         swap TH TS @1 gives both missing cards of a set of three
  discard 4H             end your turn
Short: d draws, d 4H or x 4H discards, m, a, s and t are meld, add, swap and take.
What you leave out, a joker's card or the number of a meld, is asked where it is open.
Enter alone plays your only legal move when there is just one.

Other words
  moves                  list your legal moves; moves meld 7 lists those with these words in them
  12                     play number 12 of the list you saw last
  undo                   take back a move of this turn, until you have seen a new card
  hint                   what your opponent would do in your place
  sort                   sort your hand by rank, and again by suit
  table                  show the table again
  log                    what happened in this deal
  quit                   leave the table (so do Ctrl-D and Ctrl-C)"""
