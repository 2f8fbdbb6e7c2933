"""The parts of the work of the agreement, each done in one process and settled by its own seed."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

from kalooki_env.errors import RulesError
from kalooki_env.game import Game

from . import census
from .comparing import Comparison, Tally
from .knobs import is_refused, random_rules
from .players import STYLES
from .rules import make_rules
from .variants import Override, name_of, quota_states, rules_value, seats_of
from .walking import compare_constructed, compare_deals

CHUNK = 250
"""Positions of one part of the work that is done in one process."""
TRIES = 30
"""Positions that one part tries to construct for a quota."""
RANDOM = "random knobs"
"""Stands for a preset where the rules are drawn at random."""
KNOBS_POSITIONS = 12
"""Positions by each style of play, and tries at each of the rare states, under rules drawn at random."""
KNOBS_STATES = 3
"""Rare states that are constructed for each of these rules."""


@dataclass(frozen=True)
class Part:
    """Name a part of the work; with the seed it decides all that is compared in it."""

    preset: str
    seats: tuple[int, ...]
    amount: int
    seed: str
    style: str = ""
    state: str = ""
    override: tuple[tuple[str, Any], ...] = ()


def run_part(part: Part) -> Tally:
    """Do a part of the work."""
    if part.preset == RANDOM:
        return _run_knobs(part)
    override = dict(part.override)
    rules, name = rules_value(part.preset, override), name_of(part.preset, override)
    rng = random.Random(repr(part))
    comparison = Comparison(part.preset, name, part.style or "constructed", rng)
    try:
        if part.style:
            compare_deals(comparison, rules, part.seats[0], part.amount, part.style)
        else:
            compare_constructed(comparison, rules, list(part.seats), part.state, part.amount)
    except Exception as error:  # a crash of either side is a finding too, and others go on
        comparison.expect("an error", {}, repr(error), None, part=repr(part))
    return comparison.tally


def _run_knobs(part: Part) -> Tally:
    """Draw rules that can be played, and compare them; those drawn before are to be refused."""
    rng = random.Random(repr(part))
    comparison = Comparison(RANDOM, "", RANDOM, rng)
    allowed: list[int] = []
    while not allowed:
        rules = random_rules(rng)
        comparison.variant = name_of(rules["preset"], rules)
        for seats in range(2, 7):
            refused = is_refused(rules, seats)
            where = {"rules": rules, "seats": seats}
            comparison.expect("rules refused", where, _engine_refuses(rules, seats), refused)
            allowed += [] if refused else [seats]
    seats = rng.choice(allowed)
    try:
        for style in STYLES:
            comparison.origin = style
            compare_deals(comparison, rules, seats, comparison.positions + part.amount, style)
        comparison.origin = RANDOM
        for state in rng.sample(census.QUOTAS, KNOBS_STATES):
            compare_constructed(comparison, rules, allowed, state, part.amount)
    except Exception as error:
        comparison.expect("an error", {"rules": rules}, repr(error), None, part=repr(part))
    return comparison.tally


def _engine_refuses(rules: dict[str, Any], seats: int) -> bool:
    try:
        Game(rules, seats, seed=0, episode="match")
    except RulesError:
        return True
    return False


def play_parts(preset: str, seats: list[int], positions: int, seed: int) -> list[Part]:
    """Divide the positions to be reached by play, so many for each number of seats."""
    parts = []
    for n in seats_of(make_rules(preset), seats):
        share = math.ceil(positions / len(STYLES))
        for style in STYLES:
            sizes = [min(CHUNK, share - done) for done in range(0, share, CHUNK)]
            parts += [
                Part(preset, (n,), size, f"{seed}/{index}", style=style)
                for index, size in enumerate(sizes)
            ]
    return parts


def constructed_parts(
    preset: str, seats: list[int], override: Override, tries: int, seed: int
) -> list[Part]:
    """List parts that construct every rare state, under one override."""
    fitting, said = tuple(seats_of(make_rules(preset), seats)), tuple(override.items())
    return [
        Part(preset, fitting, tries, f"{seed}", state=state, override=said)
        for state in quota_states(preset, fitting)
    ]


def knobs_parts(count: int, seed: int) -> list[Part]:
    """List parts that draw rules at random and compare some positions under each."""
    return [Part(RANDOM, (), KNOBS_POSITIONS, f"{seed}/{index}") for index in range(count)]
