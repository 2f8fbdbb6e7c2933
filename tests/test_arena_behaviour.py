"""How agents play: what the arena counts, held against a slow count over the records of the games."""

from collections import Counter

import numpy as np
import pytest

from kalooki_env import arena, records
from kalooki_env.arena.behaviour import Behaviour
from kalooki_env.arena.compiled import COUNTS
from kalooki_env.arena.table import Plan, play
from kalooki_env.rules import Rules


def jokers(cards):
    return cards.count("*")


def count_game(record, counts):
    """Count what the moves of a recorded game say, for each name."""
    result, legal, open_seats, hand_before = record.results[0], [], {}, []
    turns = Counter()
    for step in records.replay(record):
        if step.move is None:
            hands = step.game.position()["hands"]
            for name, hand in zip(record.names, hands, strict=True):
                counts[name]["deals"] += 1
                counts[name]["jokers_got"] += jokers(hand)
        else:
            seat, words = step.seat, step.move.split()
            own = counts[record.names[seat]]
            was_open = open_seats.get(seat, False)
            if words[0] in ("draw", "take"):
                turns[seat] += 1
                own["turns"] += 1
                own["could_take"] += "take" in legal
                own["took"] += words[0] == "take"
                after = step.game.position()["hands"][seat]
                own["jokers_got"] += jokers(after) - jokers(hand_before[seat])
            elif words[0] in ("meld", "add"):
                own["melds" if words[0] == "meld" else "layoffs"] += 1
                laid = jokers(step.move.split("@")[0])
                own["jokers_laid"] += laid
                own["jokers_laid_turn"] += laid * turns[seat]
            elif words[0] == "swap":
                own["swaps"] += 1
                own["jokers_laid"] -= 1
                own["jokers_laid_turn"] -= turns[seat]
            elif words[0] == "discard":
                own["jokers_discarded"] += jokers(step.move)
                own["open_turns" if was_open else "closed_turns"] += 1
                melds = any(move.startswith("meld") for move in legal)
                own["melds_kept" if was_open else "openings_kept"] += melds
                own["layoffs_kept"] += was_open and any(m.startswith("add") for m in legal)
            if not was_open and not step.game.deal_over and step.game.position()["opened"][seat]:
                open_seats[seat] = True
                own["openings"] += 1
                own["opening_turn"] += turns[seat]
                own["opening_points"] += int(step.game.state["points"][0])
        game = step.game
        hand_before = game.position()["hands"]
        legal = [] if game.deal_over else game.legal_moves()
    for seat, name in enumerate(record.names):
        own = counts[name]
        if result["winner"] == seat:
            own["wins"] += 1
            own["kalookis"] += result["kalooki"]
        elif result["winner"] is not None:
            hand = hand_before[seat]
            own["losses"] += 1
            own["penalty"] += result["penalties"][seat]
            own["lost_closed"] += not open_seats.get(seat, False)
            own["cards_left"] += len(hand.split())
            own["joker_penalty"] += 15 * jokers(hand)


@pytest.mark.parametrize(("names", "seats"), [(("greedy", "random"), 2), (("random", "greedy"), 3)])
def test_what_is_counted_is_what_the_records_tell(names, seats, tmp_path):
    deals = 36
    arena.evaluate(*names, seats=seats, deals=deals, seed=8, record=tmp_path / "games")
    counts = {name: Counter() for name in names}
    for record in records.read(tmp_path / "games"):
        count_game(record, counts)
    plan = Plan(names, Rules.preset("british"), seats, deals // seats, seed=8, behaviour=True)
    totals = play(plan, plan.load(), 0, plan.deals).totals
    for name, row in zip(names, totals.tolist(), strict=True):
        told = {what: counts[name][what] for what in COUNTS}
        assert dict(zip(COUNTS, row, strict=True)) == told


def test_behaviour_changes_no_figure_and_does_not_depend_on_the_batch():
    plain = arena.evaluate("greedy", "random", deals=100, seed=2)
    runs = [
        arena.evaluate("greedy", "random", deals=100, seed=2, behaviour=True, batch=batch)
        for batch in (3, 1024)
    ]
    assert "behaviour" not in plain.as_dict()
    first, second = ({**run.as_dict(), "seconds": None} for run in runs)
    assert first == second
    del first["behaviour"]
    assert first == {**plain.as_dict(), "seconds": None}


def test_rates_are_shares_of_their_occasions():
    counts = np.arange(1, len(COUNTS) + 1)
    n = dict(zip(COUNTS, counts.tolist(), strict=True))
    found = Behaviour.from_counts("a", counts)
    assert found.opening_turn == n["opening_turn"] / n["openings"]
    assert found.discards_taken == n["took"] / n["could_take"]
    assert found.kalookis == n["kalookis"] / n["wins"]
    assert found.penalty_lost == n["penalty"] / n["losses"]
    assert found.never_opened == 1 - n["openings"] / n["deals"]
    assert found.jokers_laid == n["jokers_laid"] / n["jokers_got"]


def test_what_there_was_no_occasion_for_has_no_rate():
    counts = np.zeros(len(COUNTS), int)
    counts[0] = 1
    found = Behaviour.from_counts("a", counts)
    assert found.opening_turn is None
    assert found.kalookis is None
    assert found.penalty_lost is None
    assert found.never_opened == 1
