"""Evaluations: two agents, or several at one table, on duplicate deals."""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kalooki_env.agents.base import Agent
from kalooki_env.arena.behaviour import Behaviour
from kalooki_env.arena.recording import check_recordable, recorder
from kalooki_env.arena.results import Deals, Result, TableResult, summarize, summarize_table
from kalooki_env.arena.table import Plan, Progress
from kalooki_env.arena.workers import Workers
from kalooki_env.checks import at_least_one
from kalooki_env.rules import Rules


def evaluate(
    a: str | Agent,
    b: str | Agent,
    rules: str | Rules = "british",
    seats: int = 2,
    deals: int = 4000,
    seed: int = 0,
    *,
    batch: int = 1024,
    progress: Progress | None = None,
    record: str | Path | None = None,
    streams: bool = False,
    behaviour: bool = False,
    processes: int = 1,
) -> Result:
    """Measure agent A, alone among copies of agent B.

    Args:
        a: the agent that is measured: a name or path for `agents.load`, or an agent.
        b: the agent in all other seats.
        rules: preset or rules; deals without a `turn_cap` are cut at 400 turns.
        seats: seats at the table.
        deals: deals to play, rounded up to a multiple of `seats`.
        seed: fixes the cards, and the random streams of agents given by name.
        batch: games that advance together at most; it changes the speed only.
        progress: called now and then with the deals done and all deals.
        record: a new file for the records of all games, in the order of the deals of the cards and,
            within one, of A's seats. It is there once everything was played.
        streams: each seat draws from its own stream of the stock, so that a discard taken by one does
            not shift what the others draw. The games are as likely as without; the rotations of one
            deal of the cards stay alike for longer, which narrows the intervals.
        behaviour: count what A and B do, see `Behaviour`.
        processes: processes that share the deals; the figures are the same with any number.

    Raises:
        AgentError: an agent that is not there, or an object that cannot be asked for an action.
        KalookiError: less than one deal, game in a batch or process.
        AgentMistake: an agent that chose what is not legal.
        RecordError: `record` is there already, cannot be written, or was asked for with `streams`.
        RulesError: rules that cannot be played by so many seats.
    """
    options = _Options(batch, progress, record, streams, behaviour, processes)
    played = _play((a, b), rules, seats, deals, seed, options)
    name_a, name_b = played.plan.names
    return summarize(
        played.ended,
        a=name_a,
        b=name_b,
        rules=played.plan_rules,
        seconds=played.seconds,
        streams=streams,
        behaviour=played.behaviour,
    )


def evaluate_table(
    entrants: list[str | Agent],
    rules: str | Rules = "british",
    seats: int | None = None,
    deals: int = 4000,
    seed: int = 0,
    *,
    batch: int = 1024,
    progress: Progress | None = None,
    record: str | Path | None = None,
    streams: bool = False,
    behaviour: bool = False,
    processes: int = 1,
) -> TableResult:
    """Measure several agents that play against each other at one table.

    Each agent holds a seat, the last one also those that are left. Every deal of the cards is played
    in all rotations; who sits behind whom changes from one deal of the cards to the next, through all
    orders in turn.

    Args:
        entrants: two agents or more, names or agents.
        seats: seats at the table; as many as there are agents if not given.
        rules, deals, seed, batch, progress, record, streams, behaviour, processes: as for `evaluate`.

    Raises:
        AgentError, AgentMistake, KalookiError, RecordError: as for `evaluate`.
        RulesError: rules that cannot be played by so many seats, more agents than seats, or one agent.
    """
    options = _Options(batch, progress, record, streams, behaviour, processes)
    played = _play(tuple(entrants), rules, seats or len(entrants), deals, seed, options)
    return summarize_table(
        played.ended,
        names=played.plan.names,
        rules=played.plan_rules,
        seconds=played.seconds,
        streams=streams,
        behaviour=played.behaviour,
    )


@dataclass(frozen=True)
class _Options:
    batch: int
    progress: Progress | None
    record: str | Path | None
    streams: bool
    behaviour: bool
    processes: int


@dataclass(frozen=True)
class _Played:
    plan: Plan
    plan_rules: str
    """Name of the rules as they were given: the plan's may have a turn cap."""
    ended: Deals
    behaviour: tuple[Behaviour, ...] | None
    seconds: float


def _play(
    entrants: tuple[str | Agent, ...],
    rules: str | Rules,
    seats: int,
    deals: int,
    seed: int,
    options: _Options,
) -> _Played:
    """Play the deals of an evaluation."""
    start = time.perf_counter()
    rules = Rules.from_value(rules)
    seats = rules.check_seats(seats)
    deals = at_least_one("deal", deals)
    check_recordable(options.record, options.streams)
    plan = Plan(
        agents=entrants,
        rules=rules,
        seats=seats,
        deals=-(-deals // seats),
        seed=seed,
        streams=options.streams,
        behaviour=options.behaviour,
        note=options.record is not None,
        batch=options.batch,
    )
    ends, totals = [], 0
    with Workers(options.processes) as workers, recorder(options.record, plan) as records:
        for part in workers.play(plan, options.progress):
            ends.append(part.ends)
            totals = totals + part.totals
            if records is not None:
                records.add(part)
    behaviour = None
    if options.behaviour:
        behaviour = tuple(map(Behaviour.from_counts, plan.names, totals))
    seconds = time.perf_counter() - start
    return _Played(
        plan, rules.name, Deals.from_ends(np.concatenate(ends), seats), behaviour, seconds
    )
