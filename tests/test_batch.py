"""The batch: the same games whatever its size, forced moves played, nothing changed by a refusal."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kalooki_env import Batch, IllegalMove, RulesError, actions


def play(batch, steps, seed=0):
    """Play the first games of a batch by fixed picks; return what happened in game 0..2."""
    seen = []
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        ids, counts = batch.legal()
        picks = (rng.random(3)[:, None] * counts[:3, None]).astype(int)[:, 0]
        chosen = ids[:, 0].astype(np.int64)
        chosen[:3] = ids[np.arange(3), picks]
        step = batch.step(chosen)
        seen.append((chosen[:3].tolist(), step.done[:3].tolist(), batch.observe()[:3].tobytes()))
    return seen


def test_a_game_does_not_depend_on_how_many_play_beside_it():
    assert play(Batch("british", 2, 3, seed=5), 300) == play(Batch("british", 2, 40, seed=5), 300)


def test_another_seed_deals_other_cards():
    first, second = Batch("british", 2, 4, seed=1), Batch("british", 2, 4, seed=2)
    assert not np.array_equal(first.games["hand"], second.games["hand"])


def test_every_row_has_a_choice_when_forced_moves_are_played():
    batch = Batch("british", 3, 32, seed=0)
    for _ in range(200):
        ids, counts = batch.legal()
        assert counts.min() >= 2
        batch.step(ids[:, 0])


def test_without_auto_play_a_single_legal_action_is_left_to_the_caller():
    batch = Batch("british", 2, 8, seed=0, auto_play=False)
    assert (batch.games["turn"] == 1).all()
    ids, counts = batch.legal()
    assert (ids[counts == 1, 0] == actions.DRAW).all()


def test_mask_and_list_say_the_same():
    batch = Batch("british", 2, 16, seed=3)
    mask = batch.mask()
    for i in range(batch.n):
        assert np.flatnonzero(mask[i]).tolist() == batch.legal_ids(i).tolist()


@pytest.mark.parametrize("n", [1, 3, 4, 9, 16])
def test_a_step_fills_the_arrays_of_the_caller_with_what_follows(n):
    batch = Batch("british", 3, n, seed=3)
    observation, mask = batch.observe(), batch.mask()
    for _ in range(200):
        batch.step(batch.legal()[0][:, 0], observation, mask)
        np.testing.assert_array_equal(observation, batch.observe())
        np.testing.assert_array_equal(mask, batch.mask())


def test_an_array_that_does_not_fit_is_refused_before_anything_is_played():
    batch = Batch("british", 2, 4, seed=0)
    before = batch.games.tobytes()
    for wrong in (
        np.zeros((4, 3), np.uint8),
        batch.observe().astype(np.float32),
        batch.observe().T,
    ):
        with pytest.raises(ValueError, match="expected a contiguous uint8 array"):
            batch.step(batch.legal()[0][:, 0], wrong)
        with pytest.raises(ValueError, match="expected a contiguous uint8 array"):
            batch.observe(wrong)
    with pytest.raises(ValueError, match="mask: expected a contiguous int8 array"):
        batch.mask(batch.mask().astype(np.uint8))
    with pytest.raises(ValueError, match="ids: expected a contiguous int16 array"):
        batch.legal(np.zeros((4, 1), np.int16))
    with pytest.raises(ValueError, match="counts: expected a contiguous int32 array"):
        batch.legal(counts=np.zeros(4, np.int64))
    assert batch.games.tobytes() == before


def test_the_packed_lists_are_the_legal_lists_one_after_the_other():
    batch = Batch("british", 2, 16, seed=3)
    for _ in range(100):
        ids, starts = batch.packed()
        assert len(starts) == batch.n + 1 and starts[-1] == len(ids)
        for i in range(batch.n):
            assert ids[starts[i] : starts[i + 1]].tolist() == batch.legal_ids(i).tolist()
        with pytest.raises(ValueError, match="read-only"):
            ids[0] = 0
        batch.step(ids[starts[1:] - 1])


def test_parts_of_a_batch_in_threads_play_what_the_whole_does():
    whole = Batch("british", 2, 12, seed=5)
    parts = [Batch("british", 2, 6, seed=5, first_slot=first) for first in (0, 6)]

    def play(batch: Batch) -> bytes:
        for _ in range(300):
            ids, starts = batch.packed()
            batch.step(ids[starts[1:] - 1])
        return batch.games.tobytes()

    with ThreadPoolExecutor(2) as threads:
        played = b"".join(threads.map(play, parts))
    assert played == play(whole)
    with pytest.raises(RulesError, match="first slot"):
        Batch("british", 2, 6, first_slot=-1)


def test_an_illegal_action_changes_no_game():
    batch = Batch("british", 2, 4, seed=0)
    before = batch.games.tobytes()
    chosen = batch.legal()[0][:, 0].astype(np.int64)
    chosen[2] = actions.BUY_IN
    with pytest.raises(IllegalMove, match="game 2"):
        batch.step(chosen)
    assert batch.games.tobytes() == before
    with pytest.raises(IllegalMove, match="shape"):
        batch.step(chosen[:2])


def test_an_action_of_an_earlier_list_or_of_the_next_game_is_not_legal():
    # What is checked lies beside other games' lists, and beside what was there before.
    batch, rng = Batch("british", 2, 8, seed=0), np.random.default_rng(0)
    refused = 0
    for _ in range(60):
        lists = [set(batch.legal_ids(i).tolist()) for i in range(batch.n)]
        chosen = batch.sample(rng)
        for i, others in enumerate([*lists[1:], lists[0]]):
            for action in others - lists[i]:
                wrong = chosen.copy()
                wrong[i] = action
                with pytest.raises(IllegalMove, match=f"game {i} "):
                    batch.step(wrong)
                refused += 1
        batch.step(chosen)
    assert refused > 1000


def test_sampled_actions_are_legal_and_each_as_likely():
    batch = Batch("british", 2, 3, seed=1)
    lists = [batch.legal_ids(i).tolist() for i in range(batch.n)]
    drawn = np.array([batch.sample(np.random.default_rng(k)) for k in range(4000)])
    assert drawn.dtype == np.int64
    for i, ids in enumerate(lists):
        found, counts = np.unique(drawn[:, i], return_counts=True)
        assert found.tolist() == ids
        share = 4000 / len(ids)
        assert np.abs(counts - share).max() < 6 * np.sqrt(share)


def test_the_largest_and_least_uniforms_sample_the_last_and_first_action():
    batch = Batch("british", 2, 64, seed=1)

    class Uniform:
        def __init__(self, value: float) -> None:
            self.value = np.float32(value)

        def random(self, n: int, dtype: type) -> np.ndarray:
            return np.full(n, self.value, dtype)

    ids, starts = batch.packed()
    assert batch.sample(Uniform(1 - 2**-24)).tolist() == ids[starts[1:] - 1].tolist()
    assert batch.sample(Uniform(0)).tolist() == ids[starts[:-1]].tolist()


def test_rewards_are_the_points_of_the_deal_and_sum_to_zero():
    batch = Batch("british", 3, 64, seed=0)
    rng = np.random.default_rng(0)
    won = 0
    for _ in range(400):
        ids, counts = batch.legal()
        step = batch.step(ids[np.arange(64), (rng.random(64) * counts).astype(int)])
        for i in np.flatnonzero(step.done):
            expected = -step.penalties[i] / 100
            if step.winner[i] >= 0:
                expected[step.winner[i]] = step.penalties[i].sum() / 100
                won += 1
            np.testing.assert_allclose(step.rewards[i], expected, atol=1e-6)
    assert won > 10


def test_what_it_returned_does_not_change_later():
    batch = Batch("british", 2, 8, seed=0)
    kept = [batch.observe(), *batch.legal(), batch.mask(), batch.to_move]
    copies = [array.copy() for array in kept]
    for _ in range(30):
        batch.step(batch.legal()[0][:, 0])
    for array, copy in zip(kept, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_table_that_cannot_be_dealt_is_refused():
    with pytest.raises(RulesError, match="6"):
        Batch("british", 6, 4)
