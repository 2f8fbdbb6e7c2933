"""The table of the observation: whole, documented, and what the encoder writes."""

from pathlib import Path

import numpy as np

from kalooki_env import Game, observation


def test_blocks_cover_the_vector_without_gaps():
    at = 0
    for block in observation.BLOCKS:
        assert block.offset == at
        at += block.size
    assert at == observation.SIZE == len(observation.scales())


def test_the_page_says_what_the_code_says():
    page = Path(__file__).parent.parent / "docs" / "observation.md"
    assert page.read_text() == observation.describe()


def part(vector, name):
    block = observation.block(name)
    return vector[block.offset : block.offset + block.size]


def test_a_position_is_seen_as_it_lies():
    game = Game.from_position(
        {
            "rules": "british",
            "hands": ["6C 9H 9D * 3D", "8H 8D", "QS"],
            "phase": "play",
            "opened": [True, False, False],
            "table": ["5C *6C 7C", "JC JD JH"],
            "discards": "4H KS",
            "dealer": 2,
        }
    )
    seen = game.observation(0)
    assert part(seen, "hand").sum() == 5
    assert part(seen, "hand")[[5, 34, 21, 52, 15]].tolist() == [1, 1, 1, 1, 1]
    assert np.flatnonzero(part(seen, "up_card")).tolist() == [51]
    assert np.flatnonzero(part(seen, "run_low")).tolist() == [3]  # 4C under the five
    assert np.flatnonzero(part(seen, "run_high")).tolist() == [7]  # 8C on the seven
    assert np.flatnonzero(part(seen, "run_jokers")).tolist() == [5]
    assert np.flatnonzero(part(seen, "set_open")).tolist() == [39 + 10]  # JS
    cards = observation.SEAT_ENTRIES.index("cards")
    assert [part(seen, f"seat_{k}")[cards] for k in range(6)] == [5, 2, 1, 0, 0, 0]
    assert [part(game.observation(2), f"seat_{k}")[cards] for k in range(3)] == [1, 5, 2]
    assert part(game.observation(1), "hand").sum() == 2


def test_seat_blocks_leave_out_what_a_small_table_never_uses():
    left_out = set(range(observation.SIZE)) - set(
        observation.block_columns(observation.seat_blocks(2)).tolist()
    )
    seen = Game("british", seats=2, seed=3).observation(0)
    assert left_out
    assert not seen[sorted(left_out)].any()
