"""Plan positions that play seldom reaches: what they should be like, with chance for the rest."""

from __future__ import annotations

import random
from dataclasses import dataclass

from . import census
from .rules import Rules


@dataclass
class Plan:
    """Say what the position should be like; what is None is left to chance."""

    drawing: bool = False
    opened: bool = True
    opening_turn: bool = False
    melds: int = 3
    laid: int = 0
    long_run: bool = False
    equal: bool = False
    used_up: bool = False
    closed: bool = False
    lone: bool = False
    chain: bool = False
    pairs: bool = False
    owed: int = 0
    taken: bool = False
    barred: bool = False
    last_card: bool = False
    hand: int = 5
    hand_jokers: int = 0
    joker_share: float = 0.15
    special_set: str = ""
    announcing: bool = False
    deciding: bool = False
    out: int = 0


def plan_for(wanted: str, rules: Rules, rng: random.Random) -> Plan:
    """Return a plan that should lead to the wanted state."""
    plan = Plan(
        melds=rng.randint(0, 6),
        hand=rng.choice((2, 2, 3, 3, 4, 5, 6, 8, 11)),
        hand_jokers=rng.choice((0, 0, 1, 1, 2)),
        joker_share=rng.choice((0.05, 0.15, 0.4)),
        drawing=rng.random() < 0.25,
        opened=rng.random() < 0.7,
        taken=rng.random() < 0.3,
        long_run=rng.random() < 0.1,
        equal=rng.random() < 0.1,
        used_up=rng.random() < 0.2,
        barred=rules.announce == "manual" and rng.random() < 0.1,
        last_card=rng.random() < 0.1,
        laid=rng.choice((0, 0, 0, 1, 2)),
        opening_turn=rng.random() < 0.25,
        out=rng.choice((1, 1, 2)) if rng.random() < 0.15 else 0,
    )
    _steer(plan, wanted, rng)
    # Where nobody has to announce, or the program does it, nobody is asked and nobody is barred.
    if plan.announcing and rules.announce != "manual":
        plan.announcing = plan.drawing = False
    plan.barred &= rules.announce == "manual" and not plan.announcing
    return plan


def _steer(plan: Plan, wanted: str, rng: random.Random) -> None:
    """Change what chance has planned, towards the wanted state."""
    if wanted in (census.HALF_OPEN, census.DUTY):
        plan.opened, plan.drawing, plan.used_up = False, rng.random() < 0.2, False
        plan.taken = wanted == census.DUTY or rng.random() < 0.4
        plan.laid = rng.choice((1, 1, 2, 3)) if wanted == census.HALF_OPEN else plan.laid
    elif wanted in (census.OWED_1, census.OWED_2):
        plan.opened, plan.drawing = True, False
        plan.owed = 1 if wanted == census.OWED_1 else rng.choice((2, 2, 2, 3))
        plan.melds = max(plan.melds, 1)
        if rng.random() < 0.4:
            _cramp(plan, rng)
    elif wanted in (census.SWAP_REFUSED, census.DELAYED):
        plan.drawing = False
        _cramp(plan, rng)
        plan.closed = plan.used_up = wanted == census.DELAYED or rng.random() < 0.7
        plan.lone = wanted == census.SWAP_REFUSED
        plan.owed = 1 if wanted == census.DELAYED and rng.random() < 0.7 else 0
        plan.laid, plan.barred, plan.taken = rng.choice((0, 0, 0, 1)), rng.random() < 0.1, False
    elif wanted == census.SET_SWAP:
        plan.opened, plan.drawing, plan.joker_share = True, False, 0.4
        plan.melds, plan.pairs, plan.special_set = rng.choice((2, 3, 4)), True, wanted
    elif wanted == census.BARRED:
        plan.barred, plan.hand = True, rng.choice((1, 2, 2, 3, 3, 3, 4))
    elif wanted == census.LAST_CARD:
        plan.last_card = True
    elif wanted == census.TWO_JOKERS:
        plan.opened, plan.hand_jokers = False, rng.choice((2, 2, 2, 3, 4))
        plan.joker_share = 0.0
    elif wanted == census.LONG_RUN:
        plan.long_run = True
    elif wanted == census.EQUAL:
        plan.equal, plan.melds = True, max(plan.melds, 1)
    elif wanted == census.LAYOFF_LIMIT:
        plan.opened, plan.drawing, plan.used_up = True, False, True
        plan.melds = max(plan.melds, 1)
    elif wanted in (census.MELD_LIMIT, census.CHAIN):
        plan.opened, plan.drawing, plan.opening_turn = True, False, False
        plan.laid, plan.hand = rng.choice((1, 1, 2)), rng.choice((4, 5, 6, 8, 11))
        plan.chain = wanted == census.CHAIN
    elif wanted in (census.CLOSED_SET, census.TWO_JOKER_SET):
        plan.special_set = wanted
    elif wanted == census.ELIMINATED:
        plan.out = rng.choice((1, 1, 2, 3))
    elif wanted == census.ANNOUNCING:
        plan.opened, plan.drawing, plan.announcing = True, True, True
        plan.hand, plan.hand_jokers = rng.choice((1, 2, 3)), rng.choice((0, 0, 1))
    elif wanted in (census.BUYING_IN, census.MATCH_ENDED):
        _go_out(plan, wanted == census.MATCH_ENDED, rng)


def _cramp(plan: Plan, rng: random.Random) -> None:
    """Leave little room: few cards in hand, jokers on the table, limits used up."""
    plan.opened, plan.opening_turn, plan.used_up = True, False, rng.random() < 0.8
    plan.melds, plan.laid = rng.choice((1, 1, 2, 3)), rng.choice((0, 0, 1, 1, 2))
    plan.hand, plan.hand_jokers, plan.joker_share = rng.choice((2, 3, 4, 4, 5)), 0, 0.4


def _go_out(plan: Plan, ends: bool, rng: random.Random) -> None:
    """Leave one card to discard, at a table where much is decided by the deal."""
    plan.deciding, plan.drawing, plan.opened = True, False, True
    plan.opening_turn, plan.used_up = rng.random() < 0.2, False
    plan.hand, plan.hand_jokers, plan.taken, plan.barred = 1, 0, False, False
    plan.laid = rng.choice((2, 3)) if plan.opening_turn else 0
    plan.out = rng.choice((0, 0, 1, 2, 3)) if ends else 0
