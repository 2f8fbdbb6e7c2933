"""Games that somebody else deals, played on from choice to choice."""

from kalooki_env.engine.apply import apply
from kalooki_env.engine.jit import entry, i64
from kalooki_env.engine.legal import list_legal


@entry
def advance(games, rows, chosen, rules, runs, work, scratch, ids, counts):
    """Play `chosen[k]` in `games[rows[k]]` (-1: it was just dealt), then whatever is forced.

    `ids`, `counts` keep the legal
    lists of all games. Returns -1, or the first k whose action is not legal; that game and those
    after it are then unchanged.
    """
    for k in range(len(rows)):
        i = rows[k]
        if chosen[k] >= 0:
            legal = False
            for c in range(counts[i]):
                legal = legal or ids[i, c] == chosen[k]
            if not legal:
                return k
            apply(games[i], rules[0], runs, work[0], scratch, chosen[k])
        counts[i] = 0
        while games[i].deal_over == 0:
            count = list_legal(games[i], rules[0], runs, work[0], scratch)
            if count != 1:
                counts[i] = count
                for c in range(count):
                    ids[i, c] = work[0].ids[c]
                break
            apply(games[i], rules[0], runs, work[0], scratch, i64(work[0].ids[0]))
    return -1
