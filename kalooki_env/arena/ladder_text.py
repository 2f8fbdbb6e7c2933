"""A ladder in Markdown: ratings and cross-play, as a page of docs and in the terminal."""

from kalooki_env.arena.crossplay import Ladder, Ladders, PairResult
from kalooki_env.arena.figures import Interval
from kalooki_env.arena.rating import ANCHOR_RATING


def to_markdown(ladders: Ladders) -> str:
    """Write ladders as Markdown."""
    lines = ["# Ladder", "", *_how(ladders)]
    for place in ladders.ladders:
        lines += [
            "",
            f"## {place.rules}, {place.seats} seats",
            "",
            *_ratings(place, ladders.anchor),
            "",
        ]
        lines += _crossplay(place, ladders)
    return "\n".join(lines) + "\n"


def _how(ladders: Ladders) -> list[str]:
    streams = ", each seat drawing from its own stream of the stock" if ladders.streams else ""
    return [
        f"Every pair plays {ladders.deals:,} duplicate deals (seed {ladders.seed}){streams}, the same",
        "for all pairs. One maximum-likelihood fit rates the agents: alone among n - 1 copies of B,",
        "A wins with chance a / (a + (n - 1) b), and 400 points are a strength of ten times as much;",
        f"`{ladders.anchor}` has {ANCHOR_RATING:.0f} by definition. The 95 % intervals are those of the",
        "difference to it, by bootstrap over the deals of the cards.",
    ]


def _ratings(place: Ladder, anchor: str) -> list[str]:
    if not place.ratings:
        return ["Not all pairs were played yet, so nobody is rated."]
    rows = [
        f"| {k} | `{one.agent}` | {one.rating:.0f} | {_interval(one.ci95)} |"
        for k, one in enumerate(place.ratings, 1)
        if one.rating is not None
    ]
    rows += [
        f"| | `{one.agent}` | | not comparable |" for one in place.ratings if one.rating is None
    ]
    return ["| | agent | rating | 95 % |", "|---:|---|---:|---|", *rows, *_notes(place, anchor)]


def _notes(place: Ladder, anchor: str) -> list[str]:
    """Say what cannot be told: who is not comparable, whose rating has an end only, who was cut."""
    notes = []
    strangers = [f"`{one.agent}`" for one in place.ratings if one.rating is None]
    if strangers:
        notes.append(
            f"Not comparable with `{anchor}`, since no chain of won deals links them: "
            f"{', '.join(strangers)}."
        )
    if any((one.ci95[0] is None) != (one.ci95[1] is None) for one in place.ratings):
        notes.append(
            "A rating with one end is that of an agent that won every deal, or lost every one: how "
            "much stronger or weaker it is these deals cannot tell."
        )
    cut = [pair for pair in place.pairs if pair.cut_rate]
    if cut:
        most = max(cut, key=lambda pair: pair.cut_rate)
        notes.append(
            f"Warning: in {len(cut)} of {len(place.pairs)} pairs deals were cut at the turn cap "
            f"({most.cut_rate:.1%} between `{most.a}` and `{most.b}`). Cut deals count as "
            f"1/{place.seats} of a win, and a pair of which all were cut has no win rate."
        )
    return [line for note in notes for line in ("", note)]


def _interval(interval: Interval) -> str:
    low, high = interval
    if low is None:
        return "unknown (one deal)" if high is None else f"at most {high:.0f}"
    if high is None:
        return f"at least {low:.0f}"
    return "" if low == high else f"{low:.0f} to {high:.0f}"


def _crossplay(place: Ladder, ladders: Ladders) -> list[str]:
    """Write the win rates of all pairs, the strongest agent first."""
    names = [one.agent for one in place.ratings] or ladders.agents
    lines = [
        "Win rate of the row's agent"
        + (" against the column's" if place.seats == 2 else ", alone among copies of the column's")
        + f", with half its interval ({1 / place.seats:.3f} is even):",
        "",
        "| | " + " | ".join(f"`{name}`" for name in names) + " |",
        "|---|" + "---|" * len(names),
    ]
    for a in names:
        cells = [_cell(place, a, b) for b in names]
        lines.append(f"| `{a}` | " + " | ".join(cells) + " |")
    if any(expected is not None for expected in place.expected):
        lines += ["", _worst(place)]
    return lines


def _cell(place: Ladder, a: str, b: str) -> str:
    pair = place.find(a, b)
    if pair is not None:
        return _rate(pair)
    pair = place.find(b, a)
    if pair is not None and place.seats == 2:
        return _rate(pair, turned=True)
    return ""


def _rate(pair: PairResult, turned: bool = False) -> str:
    """Write the win rate of a pair, or the other agent's, with what its interval reaches."""
    if pair.win_rate is None:
        return "all cut"
    rate = 1 - pair.win_rate if turned else pair.win_rate
    low, high = pair.win_rate_ci95
    return f"{rate:.3f}" if low is None or high is None else f"{rate:.3f} ± {(high - low) / 2:.3f}"


def _worst(place: Ladder) -> str:
    """Say how well the ratings explain the pairs."""
    gaps = [
        (abs(pair.win_rate - expected), pair, expected)
        for pair, expected in zip(place.pairs, place.expected, strict=True)
        if pair.win_rate is not None and expected is not None
    ]
    gap, pair, expected = max(gaps, key=lambda item: item[0])
    return (
        f"The ratings explain every pair to within {gap:.3f}; least well `{pair.a}` against "
        f"`{pair.b}`, {pair.win_rate:.3f} where they make {expected:.3f} likely."
    )
