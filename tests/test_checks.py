"""What callers give: numbers of every kind and keywords, each refused in one sentence."""

import gymnasium
import numpy as np
import pettingzoo
import pytest

from kalooki_env import Batch, Game, KalookiError, Rules, RulesError, arena, kalooki_v0
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv


def one_table(**arguments):
    """Make a vector environment of one row."""
    return KalookiVectorEnv(1, **arguments)


SMALL_BATCH = {"n": 2}
NUMBERS = {
    "Game, seats": lambda value: Game(seats=value),
    "Game, seed": lambda value: Game(seed=value),
    "Game, deal": lambda value: Game("contract", seats=3, deal=value),
    "Game, seat": lambda value: Game(seats=4).observation(value),
    "Batch, seats": lambda value: Batch(seats=value, **SMALL_BATCH),
    "Batch, n": lambda value: Batch(n=value),
    "Batch, seed": lambda value: Batch(seed=value, **SMALL_BATCH),
    "Batch, reset": lambda value: Batch(**SMALL_BATCH).reset(value),
    "Batch, first slot": lambda value: Batch(first_slot=value, **SMALL_BATCH),
    "Batch, turn cap": lambda value: Batch(turn_cap=value, **SMALL_BATCH),
    "Batch, game": lambda value: Batch(n=4).legal_ids(value),
    "Batch, game of a seat": lambda value: Batch(n=4).observe_seat(value, 0),
    "Batch, seat of a game": lambda value: Batch(seats=4, n=1).observe_seat(0, value),
    "AEC, seats": lambda value: kalooki_v0.env(seats=value),
    "AEC, seed": lambda value: kalooki_v0.raw_env().reset(seed=value),
    "AEC, deal": lambda value: kalooki_v0.raw_env("contract").reset(1, {"deal": value}),
    "single, seats": lambda value: KalookiEnv(seats=value),
    "single, seat": lambda value: KalookiEnv(seats=4, seat=value),
    "single, seed": lambda value: KalookiEnv().reset(seed=value),
    "single, deal": lambda value: KalookiEnv("contract", 3).reset(options={"deal": value}),
    "vector, rows": lambda value: KalookiVectorEnv(value),
    "vector, seats": lambda value: one_table(seats=value),
    "vector, seat": lambda value: one_table(seats=4, seat=value),
    "vector, seed": lambda value: one_table().reset(seed=value),
    "vector, seed of a row": lambda value: one_table().reset(seed=[value]),
    "vector, deal": lambda value: one_table(rules="contract", seats=3).reset(
        options={"deal": value}
    ),
    "arena, seats": lambda value: arena.evaluate("random", "random", seats=value, deals=1),
    "arena, deals": lambda value: arena.evaluate("random", "random", deals=value),
    "arena, seed": lambda value: arena.evaluate("random", "random", deals=1, seed=value),
    "arena, batch": lambda value: arena.evaluate("random", "random", deals=1, batch=value),
    "arena, processes": lambda value: arena.evaluate("random", "random", deals=1, processes=value),
    "ladder, deals": lambda value: arena.ladder(["greedy", "random"], deals=value),
    "ladder, seats": lambda value: arena.ladder(["greedy", "random"], seats=[value], deals=1),
}
ENDLESS = [name for name in NUMBERS if "seed" in name or "reset" in name]
"""Those for which no number is too large."""
TIMELY = ["arena, deals", "arena, batch", "arena, processes", "ladder, deals"]
"""Those of which there may be as many as there is time for."""


@pytest.mark.parametrize("value", [2.0, True, "2", -1, np.float64(2), [2], 2 + 0j])
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_such_number_is_refused_in_one_sentence(name, value):
    if name == "vector, seed" and value == [2]:
        return  # a list of one seed
    with pytest.raises(ValueError, match=r"^[^\n]*expected [^\n]*, got [^\n]*$"):
        NUMBERS[name](value)


@pytest.mark.parametrize("name", [name for name in NUMBERS if name not in (*ENDLESS, *TIMELY)])
def test_a_number_that_is_far_too_large_is_refused_in_one_sentence(name):
    for value in (10**9, 10**30):
        if (name, value) == ("Batch, first slot", 10**9):
            continue
        with pytest.raises(ValueError, match=r"^[^\n]*expected [^\n]*, got [^\n]*$"):
            NUMBERS[name](value)


@pytest.mark.parametrize("number", [np.int8, np.int64, np.uint16, lambda n: np.array(n)])
@pytest.mark.parametrize("name", NUMBERS)
def test_whole_numbers_of_every_type_are_numbers(name, number):
    if name not in ("arena, processes", "vector, seed of a row"):
        NUMBERS[name](number(2))


@pytest.mark.parametrize("name", ENDLESS)
def test_a_seed_may_be_as_large_as_it_likes(name):
    NUMBERS[name](10**30)


def test_a_seed_is_the_same_in_every_type():
    for make in (kalooki_v0.raw_env, KalookiEnv, one_table):
        games = []
        for seed in (7, np.uint8(7), np.array(7)):
            env = make(seats=3)
            env.reset(seed=seed)
            games.append((env.game(0) if make is one_table else env.game).to_bytes())
        assert games[0] == games[1] == games[2]


@pytest.mark.parametrize("make", [kalooki_v0.env, kalooki_v0.raw_env, KalookiEnv, one_table])
def test_wrong_seats_and_stakes_name_the_rules_that_were_given(make):
    with pytest.raises(RulesError, match=r"^seats: expected 2-5 in british, got 9$"):
        make(rules="british", seats=9)
    house = {"preset": "british", "opening_points": 51, "max_seats": 4}
    told = r"^seats: expected 2-4 in british with max_seats 4, opening_points 51, got 5$"
    with pytest.raises(RulesError, match=told):
        make(rules=house, seats=5)
    with pytest.raises(RulesError, match=r"'chips': kalooki40 is played without stakes"):
        make(rules="kalooki40", reward="chips")


def test_house_rules_that_differ_much_are_told_in_short():
    rules = Rules.preset("british", opening_points=51, decks=1, jokers=4, layoff_limit=3, buy_ins=0)
    assert rules.title == "british with decks 1, jokers 4, opening_points 51 and 2 more"


MAKERS = {
    "env": kalooki_v0.env,
    "raw_env": kalooki_v0.raw_env,
    "pettingzoo.make": lambda **words: pettingzoo.make("aec", "kalooki-v0", **words),
    "make": lambda **words: gymnasium.make("Kalooki-v0", **words),
    "make_vec": lambda **words: gymnasium.make_vec("Kalooki-v0", num_envs=1, **words),
}


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"seets": 3}, "got 'seets'; did you mean seats"),
        ({"rule": "british"}, "got 'rule'; did you mean rules"),
        ({"rewards": "win"}, "got 'rewards'; did you mean reward"),
        (
            {"opening_points": 51},
            'a knob of the rules, rules={"preset": name, "opening_points": 51}',
        ),
        ({"xyz": 1}, "got 'xyz': they are"),
    ],
)
def test_an_unknown_keyword_names_the_near_one(make, words, told):
    with pytest.raises(KalookiError) as raised:
        MAKERS[make](**words)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_keyword_of_another_environment_is_unknown_here():
    with pytest.raises(KalookiError, match=r"Kalooki-v0 \(vector\): .* got 'record'"):
        MAKERS["make_vec"](record="games.jsonl")
    with pytest.raises(KalookiError, match=r"got 'opponent'; did you mean opponents\?"):
        MAKERS["make"](opponent="greedy")
