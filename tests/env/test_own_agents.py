"""Objects that sit as opponents and entrants: what makes an agent, and who is to blame."""

import numpy as np
import pytest

from kalooki_env import AgentMistake, actions, arena
from kalooki_env.agents.base import AgentError, LegalLists, as_agent
from kalooki_env.agents.greedy import GreedyAgent
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv
from tests.env.rows import same


class InOne:
    """Chooses in one game alone, as greedy does."""

    name = "one"

    def __init__(self):
        self.greedy = GreedyAgent()

    def act(self, game, seat):
        assert game.to_move == seat
        return np.int16(self.greedy.act(game, seat))


class InMany:
    """Chooses in many games alone, as greedy does, and has no name."""

    def __init__(self):
        self.greedy = GreedyAgent()

    def act_batch(self, games, rules, rows):
        return self.greedy.act_batch(games, rules, rows).astype(np.int32)


class Both(InOne, InMany):
    """Chooses in both ways and has a name that is no text."""

    name = 7


KINDS = pytest.mark.parametrize("player", [InOne, InMany, Both])


def episode(opponents, episode="deal"):
    """Play one episode of the single environment; return all that it showed."""
    env = KalookiEnv(seats=3, opponents=opponents, episode=episode)
    seen, _ = env.reset(seed=4)
    shown, done = [], False
    while not done:
        seen, reward, *ended, _ = env.step(int(seen["action_mask"].nonzero()[0][-1]))
        done = any(ended)
        shown.append((seen["observation"].tobytes(), reward, done))
    return shown


@KINDS
def test_who_chooses_in_one_way_alone_plays_everywhere(player):
    assert episode(player()) == episode("greedy")
    ours, theirs = (
        KalookiVectorEnv(3, seats=3, opponents=[who, "random"], episode="match")
        for who in (player(), "greedy")
    )
    same(ours.reset(seed=4)[0], theirs.reset(seed=4)[0])
    for _ in range(40):
        chosen = ours.action_masks().argmax(axis=1)
        same(ours.step(chosen)[0], theirs.step(chosen)[0])
    entrant = player()
    measured = arena.evaluate(entrant, "random", deals=8, seed=3).as_dict()
    expected = arena.evaluate("greedy", "random", deals=8, seed=3).as_dict()
    names = {InOne: "one", InMany: "InMany", Both: "7"}
    assert measured["a"] == names[player]
    for figures in (measured, expected):
        del figures["a"], figures["seconds"]
    assert measured == expected


@pytest.mark.parametrize("nobody", [object(), 3, None, InOne])
def test_who_cannot_be_asked_is_refused_in_one_sentence_before_anything_is_played(nobody):
    def told(what):
        return rf"^{what}: expected names or objects with act\(game, seat\) or act_batch\(.*, got [^\n]*$"

    for make in (KalookiEnv, KalookiVectorEnv):
        with pytest.raises(AgentError, match=told("opponents")):
            make(opponents=nobody)
    with pytest.raises(AgentError, match=told("agents")):
        arena.evaluate("greedy", nobody, deals=10**9)
    if nobody is InOne:
        with pytest.raises(AgentError, match=r"use InOne\(\.\.\.\)"):
            as_agent(nobody)


class Cheat:
    """Plays greedy up to its fourth decision, and then what it was told."""

    name = "cheat"

    def __init__(self, answer):
        self.answer, self.asked, self.greedy = answer, 0, GreedyAgent()

    def act(self, game, seat):
        self.asked += 1
        return self.answer if self.asked > 3 else self.greedy.act(game, seat)


class CheatInMany(Cheat):
    """The same in many games."""

    act = None

    def act_batch(self, games, rules, rows):
        self.asked += 1
        chosen = self.greedy.act_batch(games, rules, rows)
        return np.full_like(chosen, self.answer) if self.asked > 3 else chosen


ANSWERS = [
    (actions.N, "no action has this id"),
    (-1, "no action has this id"),
    (actions.BUY_IN, "buy in is not legal there"),
]


@pytest.mark.parametrize("illegal", ["lose", "raise"])
@pytest.mark.parametrize("kind", [Cheat, CheatInMany])
@pytest.mark.parametrize(("answer", "told"), ANSWERS)
def test_an_opponents_illegal_move_is_its_own(illegal, kind, answer, told):
    env = KalookiEnv(seats=3, seat=0, opponents=["random", kind(answer)], illegal=illegal)
    words = rf"from cheat, got {answer}: it does not play by these rules \(seat 2: {told}\); reset"
    with pytest.raises(AgentMistake, match=words):
        seen, _ = env.reset(seed=1)
        while True:
            seen, _, *ended, info = env.step(int(seen["action_mask"].argmax()))
            assert not any(ended) and not info["illegal"]
    # Nobody may play on in its place: the learner would move for it.
    with pytest.raises(Exception, match=r"expected reset\(\)"):
        env.step(0)
    env.reset(seed=2)
    envs = KalookiVectorEnv(4, seats=3, opponents=["random", kind(answer)], illegal=illegal)
    with pytest.raises(
        AgentMistake, match=rf"from cheat in row \d, got {answer}: .*seat \d: {told}"
    ):
        envs.reset(seed=1)
        while True:
            *_, infos = envs.step(envs.action_masks().argmax(axis=1))
            assert not infos["illegal"].any()
    with pytest.raises(AgentMistake, match=rf"from cheat, got {answer}: .*seat \d: {told}"):
        arena.evaluate(kind(answer), "greedy", deals=4)


@pytest.mark.parametrize("answer", [None, "draw", 1.0, 10**30, True])
def test_an_answer_that_is_no_action_names_who_gave_it(answer):
    def told(where=""):
        return rf"^expected a legal action from cheat{where}, got {answer!r}: .*seat \d"

    with pytest.raises(AgentMistake, match=told()):
        env = KalookiEnv(opponents=Cheat(answer))
        seen, _ = env.reset(seed=1)
        while True:
            seen, *_ = env.step(int(seen["action_mask"].argmax()))
    with pytest.raises(AgentMistake, match=told()):
        arena.evaluate("greedy", Cheat(answer), deals=4)


@pytest.mark.parametrize(
    "shape", [lambda k: np.zeros(k), lambda k: np.zeros(k + 1, int), lambda k: 0]
)
def test_answers_that_are_not_one_for_each_game_are_refused(shape):
    class Odd:
        name = "odd"

        def act_batch(self, games, rules, rows):
            return shape(len(rows))

    told = r"whole numbers, one for each of \d games, from odd, got"
    with pytest.raises(AgentMistake, match=told):
        arena.evaluate(Odd(), "greedy", deals=4)
    with pytest.raises(AgentMistake, match=told):
        KalookiVectorEnv(4, opponents=Odd(), seat=1).reset(seed=0)


def test_one_object_in_several_seats_is_asked_once_for_all():
    class Counted(InOne):
        seats = set()

        def act(self, game, seat):
            self.seats.add(seat)
            return super().act(game, seat)

    one = Counted()
    env = KalookiEnv(seats=4, seat=0, opponents=one)
    assert len({id(agent) for agent in env._opponents}) == 1
    envs = KalookiVectorEnv(2, seats=4, seat=0, opponents=[one, "random", one])
    envs.reset(seed=0)
    for _ in range(10):
        envs.step(envs.action_masks().argmax(axis=1))
    assert one.seats == {1, 3}


def test_rows_shown_to_who_knows_one_game_are_copies():
    class Vandal(InOne):
        def act(self, game, seat):
            action = super().act(game, seat)
            game.state["hand"] = 0
            return action

    ours, theirs = (KalookiVectorEnv(3, opponents=who) for who in (Vandal(), "greedy"))
    same(ours.reset(seed=4)[0], theirs.reset(seed=4)[0])
    for _ in range(20):
        chosen = ours.action_masks().argmax(axis=1)
        same(ours.step(chosen)[0], theirs.step(chosen)[0])


def test_lists_of_legal_ids_agree_with_what_is_shown():
    class Looking:
        def act(self, game, seat):
            ids, counts = LegalLists()(game.state, game.rules, np.zeros(1, np.int64))
            assert ids[0, : counts[0]].tolist() == game.legal_actions().tolist()
            return game.legal_actions()[0]

    arena.evaluate(Looking(), "random", "contract", seats=3, deals=3)
