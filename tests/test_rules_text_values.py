"""The rules in plain English say what any values of the knobs ask for, and nothing else."""

import itertools
import random
import re

import pytest

from kalooki_env import rules_text
from kalooki_env.errors import RulesError
from kalooki_env.rules import PRESETS, Rules


def told(rules):
    """Return the whole text of a variant on one line."""
    return " ".join(rules_text.to_text(rules_text.explain(rules), 10_000).split())


def some_rules(random_source):
    """Return random valid rules, every knob free."""
    r = random_source

    def maybe(value):
        return r.choice((None, value))

    while True:
        knobs = {
            "decks": r.choice((1, 2)),
            "jokers": r.randint(0, 4),
            "ranks": r.choice((13, 13, r.randint(5, 12))),
            "suits": r.choice((4, 4, r.randint(1, 3))),
            "min_seats": r.choice((2, 2, r.randint(2, 6))),
            "max_seats": r.randint(2, 6),
            "hand_size": r.choice((r.randint(3, 17), {2: 9, 3: 9, 4: 8}, {5: 7})),
            "ace": r.choice(("high", "both")),
            "ace_points": r.randint(0, 100),
            "ace_low_points": r.randint(0, 100),
            "ace_penalty": r.randint(0, 100),
            "joker_penalty": r.randint(0, 100),
            "opening_points": r.choice((0, 1, r.randint(2, 200))),
            "contracts": r.choice((None, None, ["3"], ["34", "44"], ["333", "3444", "44"])),
            "discard_before_opening": r.choice(("free", "to_open", "never")),
            "first_turn_take": r.choice((True, False)),
            "melds_per_turn": r.choice((None, 0, 1, 2, 7)),
            "layoff_limit": r.choice((None, 1, 2, 5)),
            "layoff_scope": r.choice(("end", "meld", "turn")),
            "announce": r.choice(("auto", "manual", "off")),
            "max_rebuilds": r.choice((None, 0, 1, 2, 6)),
            "kalooki_penalty": r.choice((0, 25)),
            "scoring": r.choice(("penalty", "collect")),
            "match": r.choice(("pool", "lowest", "highest", "ring", "elimination", "points")),
            "out_above": maybe(r.randint(0, 500)),
            "target": maybe(r.randint(1, 500)),
            "deals": maybe(r.randint(1, 12)),
            "buy_ins": r.randint(0, 3),
            "initial": r.choice((0, r.randint(1, 60))),
            "call_up": r.choice((0, 1, r.randint(1, 9))),
            "kalooki": r.choice((0, 1, r.randint(1, 9))),
            "buy_in": r.choice((0, r.randint(1, 30))),
            "ring_payout": r.choice(("each", "split25")),
            "turn_cap": maybe(r.randint(1, 900)),
        }
        try:
            return Rules(**knobs)
        except RulesError:
            continue


RANDOM = [some_rules(random.Random(seed)) for seed in range(400)]


def plural(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def dealable(rules):
    """List the numbers of seats that a deal, and that a match, can have."""
    seats = {"deal": [], "match": []}
    for episode, n in itertools.product(seats, range(rules.min_seats, rules.max_seats + 1)):
        try:
            rules.check_seats(n, episode)
        except RulesError:
            continue
        seats[episode].append(n)
    return seats["deal"], seats["match"]


def cards_and_turn_facts(rules):
    """Yield a text and whether the rules of play must have it."""
    has_sets = rules.suits > 2
    yield "2 packs of", rules.decks == 2
    yield f"with {plural(rules.jokers, 'joker')}", rules.jokers > 0
    yield "joker", rules.jokers > 0
    yield "swap", rules.jokers > 0
    yield "with two jokers", rules.jokers > 1 and has_sets
    yield "any two of the three missing suits", rules.jokers > 1 and rules.suits == 4
    yield "A set of four is closed", rules.jokers > 0 and rules.suits == 4
    yield "the missing suit to a set of three", rules.suits == 4
    yield "Three or four cards of one rank", rules.suits == 4
    yield "Three cards of one rank", rules.suits == 3
    yield "low (A 2 3)", rules.ace == "both" and rules.ranks == 13
    yield "The ace is high only", rules.ace == "high" or rules.ranks < 13
    yield f"The longest run has {rules.ranks} cards", rules.ace == "high" or rules.ranks < 13
    by_points = not rules.contracts and rules.opening_points > 0
    yield f"at least {plural(rules.opening_points, 'point')} together", by_points
    low = by_points and rules.ace == "both" and rules.ranks == 13
    yield f"J Q K A of one suit is worth {30 + rules.ace_points},", by_points
    yield f"; A 2 3 is worth {5 + rules.ace_low_points}.", low
    yield "Your first meld in a deal opens your hand", not rules.contracts and not by_points
    yield "exactly the melds of the contract", rules.contracts is not None
    pile = rules.discard_before_opening
    yield "You may always take it", pile == "free"
    yield "Before that you may take it only to lay it in the very melds", pile == "to_open"
    yield "Before that you may not take it at all", pile == "never"
    yield "the first turn of the deal may take", rules.first_turn_take and pile != "free"
    limit = None if rules.contracts else rules.melds_per_turn
    yield "any number of new melds in a turn", not rules.contracts and limit is None
    yield "In later turns you only", limit == 0
    yield f"you may lay {plural(limit, 'new meld')},", bool(limit)
    yield "are a chain", bool(limit) and rules.ranks > 5
    most = rules.layoff_limit
    yield "as many cards in a turn as fit", most is None
    where = {
        "end": "at the same end of a run",
        "meld": "on the same meld, both ends of a run together",
        "turn": "altogether",
    }
    for scope, words in where.items():
        text = f"at most {plural(most, 'card')} {words}"
        yield text, most is not None and rules.layoff_scope == scope


def deal_facts(rules):
    """Yield a text and whether the rules of the end of a deal must have it."""
    yield "1, 2 or 3 cards", rules.announce != "off"
    yield "barred from going out", rules.announce == "manual"
    yield "the announcement is made for you", rules.announce == "auto"
    n = rules.max_rebuilds
    yield "This may happen any number of times", n is None
    often = {1: "once", 2: "twice", 6: "6 times"}.get(n, "")
    yield f"This is done {often} in a deal", bool(n)
    yield "If that does not end the deal, the deal is void", n == 0
    yield f"after {plural(rules.turn_cap, 'turn')} is cut", rules.turn_cap is not None
    yield "gets 25 more penalty points for it.", rules.kalooki_penalty == 25
    yield "each of these penalties is 25 higher", rules.kalooki_penalty == 25
    yield f"and a joker {rules.joker_penalty}.", rules.jokers > 0
    penalty = rules.ace_penalty + 20 + (rules.joker_penalty if rules.jokers else 0)
    yield f"make {penalty}.", True
    gathers = rules.scoring == "collect" or rules.match == "points"
    yield "The winner gains the sum of all the penalties", gathers
    yield "The winner's penalty is 0", not gathers


def pays(rules):
    return rules.match == "pool" and rules.call_up != rules.kalooki


def match_facts(rules):
    """Yield a text and whether the rules of the match and its money must have it."""
    _, match_tables = dealable(rules)
    ring = rules.match == "ring"
    last = rules.deals or (len(rules.contracts) if rules.contracts else None)
    out = rules.match in ("pool", "elimination") and rules.out_above is not None and last != 1
    whole = bool(match_tables)
    yield "Only single deals are played", not whole
    yield f"A total above {rules.out_above} is out of the match;", whole and out
    buys = out and rules.buy_ins > 0 and max(match_tables, default=2) > 2
    often = {1: "once", 2: "twice", 3: "3 times"}.get(rules.buy_ins, "")
    yield "Buying in", buys
    yield f"Each may do so {often} in a match", buys
    yield f"by paying {rules.buy_in} into the pool", buys and rules.buy_in > 0
    yield f"total reaches {rules.target}", whole and rules.target is not None and (
        (rules.match == "points" and last != 1)
        or (rules.match in ("lowest", "highest") and last is None)
    )  # fmt: skip
    if whole and not ring and last is not None and last > 1:
        yield f"{last} deals", True
    yield f"every player pays {rules.initial} into the pool", rules.initial > 0
    has_stakes = rules.match == "pool" and rules.call_up + rules.kalooki > 0
    yield f"gets {rules.call_up} from each other player", has_stakes
    yield f"pays {rules.kalooki} instead of {rules.call_up}", pays(rules)
    yield "(400 x losers)", ring and rules.initial > 0 and rules.ring_payout == "each"
    yield "(4 x S)", ring and rules.initial > 0 and rules.ring_payout == "split25"
    yield "Money", rules.initial > 0 or has_stakes or (buys and rules.buy_in > 0)


@pytest.mark.parametrize("facts", [cards_and_turn_facts, deal_facts, match_facts])
def test_the_text_has_a_sentence_exactly_where_the_values_ask_for_it(facts):
    seen = set()
    for rules in RANDOM:
        text = told(rules)
        for at, (fact, wanted) in enumerate(facts(rules)):
            assert (fact in text) == wanted, (fact, wanted, rules)
            seen.add((at, wanted))
    both = {at for at, wanted in seen if wanted} & {at for at, wanted in seen if not wanted}
    certain = {at for at, _ in seen} - both
    assert len(certain) <= 2, f"never both ways: {certain}"


def test_every_text_is_well_formed():
    for rules in [*RANDOM, *PRESETS.values()]:
        sections = rules_text.explain(rules)
        assert len({section.title for section in sections}) == len(sections)
        for section in sections:
            assert section.paragraphs
            for lead, text, items in section.paragraphs:
                assert re.fullmatch(r"[A-Z0-9].*[.:]", text), text
                assert (text[-1] == ":") == bool(items)
                for bad in ("None", "  ", "..", " .", ",,", "{", "null", " 1 cards", "True"):
                    assert bad not in " ".join((lead, text, *items)), (bad, text, items)


def test_no_number_of_a_preset_stays_when_its_value_is_changed():
    rules = Rules.preset(
        "british", decks=1, jokers=3, max_seats=4, hand_size=6, ace_points=71, ace_penalty=72,
        joker_penalty=73, opening_points=79, melds_per_turn=61, layoff_limit=62, max_rebuilds=63,
        kalooki_penalty=25, out_above=803, deals=64, buy_ins=65, initial=907, call_up=66, kalooki=67,
        buy_in=68, turn_cap=911,
    )  # fmt: skip
    numbers = set(map(int, re.findall(r"\d+", told(rules))))
    always = {0, 1, 2, 3, 9, 10}  # the announcement, cards named as examples, a lowest penalty
    pack = {2, 4, 13, 52, 55}
    values = {3, 6, 71, 72, 73, 79, 61, 62, 63, 25, 803, 64, 65, 907, 66, 67, 68, 911}
    made = {30 + 71, 20 + 72 + 73, 4 * 907, 3 * 66, 3 * 67}
    example = {803 - 160, 803 - 267, 803 + 13}
    assert numbers == always | pack | values | made | example


def test_no_line_is_too_long_and_every_terminal_can_show_it():
    for rules in RANDOM[:40]:
        for width in (30, 80):
            text = rules_text.to_text(rules_text.explain(rules), width)
            assert max(map(len, text.splitlines())) <= width
            assert text.isascii()
