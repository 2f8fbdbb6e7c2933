"""The engine and the independent oracle agree on random and on constructed positions.

`python -m tests.oracle.agreement` compares many more.
"""

import pytest

from tests.oracle import agreement, census
from tests.oracle.players import STYLES
from tests.oracle.variants import override_for, overrides_of, quota_states

SEED = "test"
QUOTA = 20
FEWER = {census.SWAP_REFUSED: 5, census.DELAYED: 5, census.CHAIN: 5, census.SET_SWAP: 5}
"""What is enough of the states that take long to come upon."""


def told(tally):
    """Return the disagreements as a person can read them."""
    run = agreement.Run(agreement.read_arguments([]))
    run.total.add(tally)
    return run.report()


def compared(*parts):
    """Do parts of the work; fail if engine and oracle differ anywhere."""
    total = agreement.Tally()
    for part in parts:
        total.add(agreement.run_part(part))
    assert not total.disagreements, told(total)
    return total.counts


def positions(counts):
    return sum(count for key, count in counts.items() if key[0] == "positions")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_positions_reached_by_play(seats):
    parts = [agreement.Part("british", (seats,), 75, SEED, style=style) for style in STYLES]
    assert positions(compared(*parts)) == 75 * len(STYLES)


@pytest.mark.parametrize("state", quota_states("british"))
def test_rare_states(state):
    override = tuple(override_for("british", state).items())
    kind = "state" if override else "state without override"
    reached, quota = 0, FEWER.get(state, QUOTA)
    for number in range(60):
        part = agreement.Part(
            "british", (2, 3, 4, 5), 10, f"{SEED}/{number}", state=state, override=override
        )
        reached += compared(part)[kind, "british", state]
        if reached >= quota:
            return
    pytest.fail(f"expected {quota} positions in the state {state!r}, got {reached}")


@pytest.mark.parametrize("preset", sorted(agreement.PRESETS))
def test_every_preset_with_and_without_overrides(preset):
    overrides = overrides_of(preset)
    parts = [agreement.Part(preset, (3,), 12, SEED, style="eager")]
    for number, override in enumerate(overrides):
        state = quota_states(preset)[number % len(quota_states(preset))]
        said = tuple(override.items())
        parts.append(agreement.Part(preset, (2, 3, 4), 1, SEED, state=state, override=said))
    assert positions(compared(*parts)) >= 12 + len(overrides) // 2


def test_a_disagreement_is_told_and_made_small(monkeypatch):
    from kalooki_env.game import Game

    honest = Game._legal_ids
    monkeypatch.setattr(Game, "_legal_ids", lambda game: honest(game)[:-1])
    part = agreement.Part("british", (2,), 3, SEED, state=census.EQUAL)
    tally = agreement.run_part(part)
    assert tally.counts["disagreements", "legal ids"] > 0
    assert "what: legal ids" in told(tally)


@pytest.mark.slow
def test_everything_at_length():
    words = "--rules all --seats 2 3 4 5 6 --positions 300 --quota 50 --tries 5"
    run = agreement.compare(agreement.read_arguments(words.split()))
    assert not run.disagreements(), run.report()
    assert not run.missing(), run.report()
