"""The engine and the independent oracle agree on random and on constructed positions.

`python -m tests.oracle.agreement` compares many more.
"""

from collections import Counter

import pytest

from tests.oracle import agreement, census
from tests.oracle.knobs import is_refused
from tests.oracle.parts import RANDOM, Part, knobs_parts, run_part
from tests.oracle.players import STYLES
from tests.oracle.rules import PRESETS, make_rules
from tests.oracle.variants import override_for, overrides_of, quota_states, seats_of

SEED = "test"
QUOTA = 20
FEWER = {census.SWAP_REFUSED: 5, census.DELAYED: 5, census.CHAIN: 5, census.SET_SWAP: 5}
"""What is enough of the states that take long to come upon."""
TABLES = (2, 3, 4, 5)
QUICK_STATES = (
    census.CONTRACT_HALF,
    census.CLOSED_SET,
    census.TWO_JOKER_SET,
    census.ANNOUNCING,
    census.ELIMINATED,
    census.BUYING_IN,
    census.MATCH_ENDED,
)
"""States that each preset which can be in them is put in here."""


def told(tally):
    """Return the disagreements as a person can read them."""
    run = agreement.Run(agreement.read_arguments([]))
    run.total.add(tally)
    return run.report()


def compared(*parts):
    """Do parts of the work; fail if engine and oracle differ anywhere."""
    total = agreement.Tally()
    for part in parts:
        total.add(run_part(part))
    assert not total.disagreements, told(total)
    return total.counts


def positions(counts):
    return sum(count for key, count in counts.items() if key[0] == "positions")


def reach(preset, state, quota, tries):
    """Construct a rare state of a preset until it was compared so often."""
    override = tuple(override_for(preset, state).items())
    kind = "state" if override else "state without override"
    seats = tuple(seats_of(make_rules(preset), TABLES))
    reached = 0
    for number in range(60):
        part = Part(preset, seats, tries, f"{SEED}/{number}", state=state, override=override)
        reached += compared(part)[kind, preset, state]
        if reached >= quota:
            return
    pytest.fail(f"expected {quota} positions of {preset} in the state {state!r}, got {reached}")


@pytest.mark.parametrize("seats", TABLES)
def test_positions_reached_by_play(seats):
    parts = [Part("british", (seats,), 75, SEED, style=style) for style in STYLES]
    assert positions(compared(*parts)) == 75 * len(STYLES)


@pytest.mark.parametrize("state", quota_states("british", TABLES))
def test_rare_states(state):
    reach("british", state, FEWER.get(state, QUOTA), tries=10)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_rare_states_of_every_preset(preset):
    for state in QUICK_STATES:
        if state in quota_states(preset, TABLES):
            reach(preset, state, 2, tries=3)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_with_and_without_overrides(preset):
    overrides = overrides_of(preset)
    states = quota_states(preset, TABLES)
    parts = [Part(preset, (3,), 12, SEED, style="eager")]
    for number, override in enumerate(overrides):
        state = states[number % len(states)]
        said = tuple(override.items())
        parts.append(Part(preset, (2, 3, 4), 1, SEED, state=state, override=said))
    assert positions(compared(*parts)) >= 12 + len(overrides) // 2


ENDS = [
    ("british", {}, {"bought in", "dropped out", "several seats asked to buy in", "seat put out"}),
    ("british", {"deals": 2}, {"match shared", "pool shared with a rest", "pool paid out"}),
    ("european", {}, {"match ended by the last seat in", "pool paid out", "deal won by a kalooki"}),
    ("tournament51", {"match": "points"}, {"match of points ended", "match ended by the target"}),
    ("tournament51", {"deals": 3, "initial": 7}, {"match ended by its deals", "seat put out"}),
    ("ring51", {}, {"ring paid (each)", "match ended"}),
    ("ring51", {"ring_payout": "split25"}, {"ring paid (split25)"}),
    ("kalooki40", {}, {"match ended by the target", "match shared"}),
    ("north_american", {}, {"match ended by its deals", "match shared"}),
    ("contract", {}, {"match ended by its deals"}),
]


@pytest.mark.parametrize(("preset", "override", "names"), ENDS)
def test_ends_of_deals_and_matches_are_compared(preset, override, names):
    wanted = (
        (census.BUYING_IN, census.MATCH_ENDED) if preset == "british" else (census.MATCH_ENDED,)
    )
    parts = [
        Part(
            preset, (2, 3, 4), 15, f"{SEED}/{number}", state=state, override=tuple(override.items())
        )
        for number in range(4)
        for state in wanted
    ]
    seen = Counter()
    for part in parts:
        seen.update({key[2] for key in compared(part) if key[0] == "endings"})
    assert names <= set(seen), f"expected {sorted(names - set(seen))} too"


def test_every_rare_state_has_a_quota_in_some_preset():
    everywhere = {state for preset in PRESETS for state in quota_states(preset, TABLES)}
    assert everywhere == set(census.QUOTAS)
    assert census.BUYING_IN in quota_states("tournament51", TABLES)
    assert census.BUYING_IN not in quota_states("british", (2,)), "a table of two is then over"
    assert census.HALF_OPEN not in quota_states("contract", TABLES)
    assert all(census.MATCH_ENDED in quota_states(preset, (2,)) for preset in PRESETS)


def test_a_quota_counts_only_positions_of_the_rules_that_it_is_about():
    run = agreement.Run(agreement.read_arguments(["--rules", "british", "--quota", "3"]))
    counts = run.total.counts
    counts["state without override", "british", census.EQUAL] = 2
    counts["state", "british", census.EQUAL] = 9
    counts["state", "british", census.BARRED] = 3
    assert run.reached("british", census.EQUAL) == 2
    assert run.reached("british", census.BARRED) == 3, "british announces by itself: by override"
    missing = {state for _, _, state in run.missing()}
    assert census.EQUAL in missing and census.BARRED not in missing
    assert missing == set(quota_states("british", TABLES)) - {census.BARRED}


def test_rules_drawn_at_random():
    counts = compared(*knobs_parts(3, seed=3))
    assert positions(counts) > 150
    assert counts["checks", "rules refused"] >= 15
    assert all(key[1] == RANDOM for key in counts if key[0] == "positions")


@pytest.mark.parametrize(
    ("rules", "seats", "refused"),
    [
        ({"decks": 1, "hand_size": 10}, 4, False),
        ({"decks": 1, "hand_size": 10}, 5, True),
        ({"hand_size": 17, "max_seats": 6}, 5, False),
        ({"hand_size": 17, "max_seats": 6, "jokers": 4}, 6, True),
        ({"hand_size": {2: 13, 6: 16}, "max_seats": 6, "match": "ring"}, 6, False),
        ({"ranks": 5, "suits": 2, "hand_size": 3, "jokers": 0}, 5, True),
        ({"ranks": 5, "suits": 2, "hand_size": 3, "jokers": 1}, 4, False),
        ({"hand_size": {3: 13}}, 3, True),
        ({"hand_size": {2: 13, 3: 13}}, 3, False),
        ({"out_above": None}, 2, True),
        ({"preset": "contract", "deals": 9}, 2, False),
        ({"preset": "contract", "deals": 10}, 2, True),
        ({"preset": "contract", "max_seats": 6}, 6, True),
        ({"preset": "contract", "max_seats": 6, "deals": 8}, 6, False),
        ({"preset": "contract", "match": "points"}, 3, False),
        ({"hand_size": {3: 13}, "deals": 1}, 3, False),
        ({"hand_size": {3: 13}, "deals": 2, "out_above": None}, 3, False),
    ],
)
def test_what_cannot_be_played_is_refused_by_both(rules, seats, refused):
    from kalooki_env import Game, RulesError

    rules = {"preset": "british", **rules}
    assert is_refused(rules, seats) == refused
    if refused:
        with pytest.raises(RulesError):
            Game(rules, seats, seed=0, episode="match")
    else:
        Game(rules, seats, seed=0, episode="match")


def test_a_disagreement_is_told_and_made_small(monkeypatch):
    from kalooki_env.game import Game

    honest = Game._legal_ids
    monkeypatch.setattr(Game, "_legal_ids", lambda game: honest(game)[:-1])
    part = Part("british", (2,), 3, SEED, state=census.EQUAL)
    tally = run_part(part)
    assert tally.counts["disagreements", "legal ids"] > 0
    assert "what: legal ids" in told(tally)


def test_a_payout_by_other_rules_is_told(monkeypatch):
    from tests.oracle import match

    monkeypatch.setattr(match, "last_deal", lambda rules: None)
    tally = run_part(Part("hunt51", (3,), 10, SEED, state=census.MATCH_ENDED))
    assert tally.counts["disagreements", "result of a deal"] > 0


@pytest.mark.slow
def test_everything_at_length():
    words = "--rules all --seats 2 3 4 5 6 --positions 300 --quota 50 --tries 5 --knobs 20"
    run = agreement.compare(agreement.read_arguments(words.split()))
    assert not run.disagreements(), run.report()
    assert not run.missing(), run.report()
