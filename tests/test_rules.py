"""Rules: the presets against the table of the rules, validation, digest, the engine's record."""

import dataclasses
import json
import pickle

import numpy as np
import pytest

from kalooki_env.cards import card_text, cards_text, list_cards, parse_card
from kalooki_env.engine import layout
from kalooki_env.errors import RulesError
from kalooki_env.game import Game
from kalooki_env.rules import PRESETS, Rules

# The table of presets, one row a knob; "-" is no limit or none, "x" does not matter.
TABLE = """
preset          british european north_american kalooki40 double_deck contract hunt51 ring51 tournament51
decks                 2        2              2         2           2        2      2      2            2
jokers                2        2              4         2           4        4      2      2            2
min_seats             2        2              2         2           2        2      2      2            2
max_seats             5        5              6         5           6        5      4      4            4
ace                high     high           both      both        both     both   both   both         both
ace_points           11       11             15        11          11       11     11     11           11
ace_low_points        x        x             15         1           1        1      1      1            1
ace_penalty          11       11             15        11          11       11     11     11           11
joker_penalty        15       15             25        15          15       15     25     25           25
opening_points       40       40             51        40          40        x     51     51           51
discard_before_opening to_open never    to_open      free        free     free   free   free         free
first_turn_take     yes      yes            yes        no          no       no     no     no           no
melds_per_turn        1        -              -         -           -        0      -      -            -
layoff_limit          2        2              2         -           -        -      -      -            -
layoff_scope        end      end            end       end         end      end    end    end          end
announce           auto     auto           auto       off         off      off    off    off          off
max_rebuilds          1        1              1         -           -        1      -      -            -
kalooki_penalty       0        0              0         0           0        0     25     25           25
scoring         penalty  penalty        collect   penalty     penalty  penalty penalty penalty    penalty
match              pool     pool        highest    lowest      lowest   lowest lowest   ring  elimination
out_above           150      150              -         -           -        -      -      -          150
target                -        -              -       100         100        -      -      -          150
deals                 -        -              1         -           -        -      1      -            -
buy_ins               2        2              0         0           0        0      0      0            0
initial               5        5              0         0           0        0      0    100          100
call_up               1        1              0         0           0        0      0      0            0
kalooki               2        2              0         0           0        0      0      0            0
buy_in                5        5              0         0           0        0      0      0            0
ring_payout        each     each           each      each        each     each   each   each         each
turn_cap              -        -              -         -           -        -      -      -            -
"""
NAMES, *ROWS = (line.split()[1:] for line in TABLE.strip().splitlines())
KNOBS = [line.split()[0] for line in TABLE.strip().splitlines()[1:]]
WORDS = {"-": None, "yes": True, "no": False}


def column(name):
    """Return the values of one preset in the table, by knob."""
    texts = {knob: row[NAMES.index(name)] for knob, row in zip(KNOBS, ROWS, strict=True)}
    return {
        knob: int(text) if text.isdigit() else WORDS.get(text, text)
        for knob, text in texts.items()
        if text != "x"
    }


CODES = {
    "discard_before_opening": {
        "free": layout.DISCARD_FREE,
        "to_open": layout.DISCARD_TO_OPEN,
        "never": layout.DISCARD_NEVER,
    },
    "layoff_scope": {
        "end": layout.SCOPE_END,
        "meld": layout.SCOPE_MELD,
        "turn": layout.SCOPE_TURN,
    },
    "announce": {
        "off": layout.ANNOUNCE_OFF,
        "auto": layout.ANNOUNCE_AUTO,
        "manual": layout.ANNOUNCE_MANUAL,
    },
    "scoring": {"penalty": layout.SCORE_PENALTY, "collect": layout.SCORE_COLLECT},
    "match": {
        "pool": layout.MATCH_POOL,
        "lowest": layout.MATCH_LOWEST,
        "highest": layout.MATCH_HIGHEST,
        "ring": layout.MATCH_RING,
        "elimination": layout.MATCH_ELIMINATION,
        "points": layout.MATCH_POINTS,
    },
    "ring_payout": {"each": layout.RING_EACH, "split25": layout.RING_SPLIT25},
}


def test_there_are_nine_presets():
    assert list(PRESETS) == NAMES and len(NAMES) == 9


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_has_the_values_of_the_table(name):
    rules = Rules.preset(name)
    for knob, value in column(name).items():
        assert getattr(rules, knob) == value, knob
    assert (rules.ranks, rules.suits) == (13, 4)
    assert (rules.contracts is None) == (name != "contract")
    sizes = ((2, 15), (3, 15), (4, 15), (5, 13), (6, 11))
    assert rules.hand_size == (sizes if name == "north_american" else 13)


def test_every_knob_is_in_the_table_or_checked_beside_it():
    knobs = {field.name for field in dataclasses.fields(Rules)}
    assert knobs - set(KNOBS) == {"ranks", "suits", "hand_size", "contracts"}


@pytest.mark.parametrize("name", NAMES)
def test_the_record_of_a_preset_says_the_same(name):
    rules = Rules.preset(name)
    record = rules.record()
    assert record.dtype == layout.RULES and record.shape == (1,) and record.flags.writeable
    row = record[0]
    for knob, value in column(name).items():
        if knob not in layout.RULES.names:
            continue
        if value is None:
            limits = ("melds_per_turn", "layoff_limit", "max_rebuilds")
            value = layout.UNLIMITED if knob in limits else -1
        assert row[knob] == CODES.get(knob, {}).get(value, value), knob
    assert row["max_set"] == row["suits"] == 4
    assert row["low_position"] == (2 if rules.ace == "high" else 1)


@pytest.mark.parametrize("name", NAMES)
def test_points_and_penalties_follow_face_value_tens_and_the_aces_own_value(name):
    rules = Rules.preset(name)
    row = rules.record()[0]
    faces = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    low = rules.ace_low_points if rules.ace == "both" else 0
    assert row["run_points"].tolist() == [0, low, *faces, rules.ace_points]
    assert row["set_points"].tolist() == [rules.ace_points, *faces]
    assert row["penalty"].tolist() == [rules.ace_penalty, *faces] * 4 + [rules.joker_penalty]


def test_a_low_ace_counts_one_and_in_north_america_fifteen():
    assert Rules.preset("kalooki40").position_points(1) == 1
    assert Rules.preset("north_american").position_points(1) == 15
    assert Rules.preset("british", ace="both").position_points(1) == 1


def test_a_fresh_record_can_be_changed_without_harm():
    rules = Rules.preset("british")
    rules.record()["opening_points"] = 7
    assert rules.record()["opening_points"][0] == 40


def test_contracts_are_recorded_as_digits():
    row = Rules.preset("contract").record()[0]
    texts = ["".join(str(m) for m in deal if m) for deal in row["contracts"].tolist()]
    assert texts == ["333", "334", "344", "444", "3333", "3334", "3344", "3444", "4444"]
    assert row["n_contracts"] == 9
    assert Rules.preset("british").record()["n_contracts"][0] == 0


def test_contract_deals_six_to_nine_are_dealt_more_cards():
    rules = Rules.preset("contract")
    sizes = [rules.hand_size_for(4, deal) for deal in range(1, 10)]
    assert sizes == [13, 13, 13, 13, 13, 14, 15, 16, 17]
    with pytest.raises(RulesError, match=r"deal: expected 1-9.*got 10"):
        rules.hand_size_for(4, 10)


def test_hand_size_may_depend_on_the_seats_dealt_to():
    rules = Rules.preset("north_american")
    assert [rules.hand_size_for(seats) for seats in range(2, 7)] == [15, 15, 15, 13, 11]
    assert rules.record()["hand_size"][0].tolist() == [0, 0, 15, 15, 15, 13, 11]
    two_only = Rules.preset("british", hand_size={2: 10})
    assert two_only.record()["hand_size"][0].tolist() == [0, 0, 10, 0, 0, 0, 0]
    with pytest.raises(RulesError, match=r"hand_size names \(2\), got 3"):
        two_only.check_seats(3)


# Seats


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_can_be_dealt_to_all_its_numbers_of_seats(name):
    rules = Rules.preset(name)
    for seats in range(rules.min_seats, rules.max_seats + 1):
        for episode in ("deal", "match"):
            rules.check_seats(seats, episode)


@pytest.mark.parametrize("seats", [1, 6, 0, -2])
def test_a_number_of_seats_outside_the_limits_is_refused(seats):
    with pytest.raises(RulesError, match=rf"seats: expected 2-5 .*british.* got {seats}"):
        Rules.preset("british").check_seats(seats)


@pytest.mark.parametrize("seats", ["2", 2.0, True, None])
def test_seats_are_a_whole_number(seats):
    with pytest.raises(RulesError, match="seats: expected a number 2-5, got"):
        Rules.preset("british").check_seats(seats)


def test_one_pack_serves_three_seats_and_not_four():
    rules = Rules.preset("british", decks=1)
    rules.check_seats(3)
    message = r"4 x 13 \+ 1 = 53 cards dealt of a pack of 54 leave 1 for the stock, which needs 4"
    with pytest.raises(RulesError, match=message):
        rules.check_seats(4)
    assert rules.record()["hand_size"][0].tolist() == [0, 0, 13, 13, 0, 0, 0]


def test_exactly_one_card_a_seat_in_the_stock_is_enough():
    rules = Rules.preset("british", decks=1, jokers=0, hand_size=16)  # 3 x 16 + 1 = 49, 3 left
    rules.check_seats(3)
    with pytest.raises(RulesError, match=r"3 x 17 \+ 1 = 52"):
        dataclasses.replace(rules, hand_size=17).check_seats(3)


def test_a_match_needs_the_smaller_tables_that_eliminations_leave():
    rules = Rules.preset("british", hand_size={3: 13, 4: 13})
    rules.check_seats(4)
    with pytest.raises(RulesError, match=r"hand_size names .* got 2"):
        rules.check_seats(4, "match")


def test_a_match_that_nothing_could_end_is_refused_and_a_deal_of_it_is_not():
    rules = Rules.preset("kalooki40", target=None)
    rules.check_seats(2)
    with pytest.raises(RulesError, match=r'expected target or deals .* "lowest"'):
        rules.check_seats(2, "match")


CONTRACT = Rules.preset("contract", max_seats=6)


@pytest.mark.parametrize(
    ("changes", "episode", "deal"),
    [
        ({"deals": 8}, "match", None),  # the ninth contract, of 17 cards, is never played
        ({"match": "ring"}, "match", None),  # one deal
        ({}, "deal", 8),
        ({}, "deal", None),  # a contract that can be dealt is drawn
    ],
)
def test_contracts_that_are_not_played_refuse_no_seats(changes, episode, deal):
    rules = dataclasses.replace(CONTRACT, **changes)
    rules.check_seats(6, episode, deal)
    if deal is None:
        for seed in range(40):
            state = Game(rules, 6, seed=seed, episode=episode).state[0]
            assert state["deal"] <= 8 and state["n_stock"] >= 6


@pytest.mark.parametrize(("episode", "deal"), [("match", None), ("deal", 9)])
def test_contracts_that_are_played_must_be_dealt(episode, deal):
    with pytest.raises(
        RulesError, match=r"6 x 17 \+ 1 = 103 cards dealt for contract 9 .* leave 5"
    ):
        CONTRACT.check_seats(6, episode, deal)


def test_a_position_in_a_later_contract_than_its_match_has_must_be_dealt_again():
    case = {"rules": {"preset": "contract", "max_seats": 6, "deals": 4}}
    case["hands"] = ["2C 9H", "4C", "5C", "6C", "7C", "8C"]
    assert Game.from_position(case | {"deal": 4}).legal_moves() == ["draw", "take"]
    with pytest.raises(RulesError, match="contract 9"):
        Game.from_position(case | {"deal": 9})


@pytest.mark.parametrize("match", ["pool", "elimination", "lowest", "highest", "points", "ring"])
def test_the_last_contract_ends_any_match(match):
    rules = Rules.preset("contract", match=match)
    assert rules.out_above is None and rules.target is None and rules.deals is None
    rules.check_seats(3, "match")
    assert rules.last_deal == (1 if match == "ring" else 9)
    one = dataclasses.replace(rules, contracts=("333",))
    game = Game.from_position(
        {"rules": one, "hands": ["4S", "AS", "2S"], "phase": "play", "opened": [True] * 3,
         "table": ["9C 9D 9S"]}
    )  # fmt: skip
    game.play("discard 4S")
    assert game.over and game.result["match_winner"] is not None


@pytest.mark.parametrize("changes", [{"deals": 1}, {"deals": 5, "out_above": None}])
def test_a_match_that_puts_nobody_out_before_its_end_needs_no_smaller_tables(changes):
    Rules.preset("british", hand_size={4: 13}, **changes).check_seats(4, "match")


# The pack


def test_the_pack_holds_two_decks_and_the_jokers():
    sizes = {name: rules.pack_size for name, rules in PRESETS.items()}
    assert sizes["british"] == 106 and sizes["double_deck"] == 108
    for rules in PRESETS.values():
        assert rules.deck_counts().sum() == rules.pack_size


def test_one_deck_keeps_its_jokers():
    counts = Rules.preset("british", decks=1, jokers=4).deck_counts()
    assert counts.tolist() == [1] * 52 + [4]


def test_a_smaller_pack_keeps_the_highest_ranks_and_the_first_suits():
    rules = Rules.preset("kalooki40", ranks=5, suits=2, decks=1, jokers=1, hand_size=3)
    assert cards_text(list_cards(rules.deck_counts())) == "AC TC JC QC KC AD TD JD QD KD *"
    assert rules.pack_size == 11
    row = rules.record()[0]
    assert (row["low_position"], row["max_set"], row["suits"]) == (10, 2, 2)
    assert row["run_points"][1] == 0


def test_fewer_ranks_have_no_low_ace():
    assert Rules.preset("kalooki40", ranks=12).low_position == 3
    assert Rules.preset("kalooki40").low_position == 1
    assert Rules.preset("british").low_position == 2


# Validation


@pytest.mark.parametrize(
    ("knob", "value", "expected"),
    [
        ("decks", 3, "1-2"),
        ("decks", None, "1-2"),
        ("jokers", 5, "0-4"),
        ("ranks", 4, "5-13"),
        ("suits", 0, "1-4"),
        ("min_seats", 1, "2-6"),
        ("max_seats", 7, "2-6"),
        ("hand_size", 2, "3-17"),
        ("hand_size", 18, "3-17"),
        ("hand_size", "13", "3-17"),
        ("hand_size", {2: 20}, "3-17"),
        ("hand_size", {7: 13}, "2-6"),
        ("hand_size", {}, "seats with their cards"),
        ("ace", "low", "high, both"),
        ("ace_points", 101, "0-100"),
        ("joker_penalty", -1, "0-100"),
        ("opening_points", 201, "0-200"),
        ("opening_points", 40.0, "0-200"),
        ("opening_points", True, "0-200"),
        ("contracts", "333", "None or a list"),
        ("contracts", [], "None or a list"),
        ("contracts", ["35"], "None or a list"),
        ("contracts", ["33333"], "None or a list"),
        ("contracts", ["333"] * 10, "None or a list"),
        ("discard_before_opening", "always", "free, to_open, never"),
        ("first_turn_take", 1, "true or false"),
        ("melds_per_turn", -1, "None or a whole number 0-"),
        ("layoff_limit", 0, "None or a whole number 1-"),
        ("layoff_scope", "run", "end, meld, turn"),
        ("announce", None, "off, auto, manual"),
        ("max_rebuilds", -1, "None or a whole number 0-"),
        ("kalooki_penalty", 20, "0 or 25"),
        ("kalooki_penalty", 25.0, "0 or 25"),
        ("scoring", "sum", "penalty, collect"),
        ("match", "cup", "pool, lowest, highest, ring, elimination, points"),
        ("deals", 0, "None or a whole number 1-"),
        ("buy_ins", None, "0-100"),
        ("initial", -5, "0-"),
        ("ring_payout", "all", "each, split25"),
        ("turn_cap", 0, "None or a whole number 1-"),
    ],
)
def test_a_bad_value_is_refused_with_the_knob_expected_and_got(knob, value, expected):
    with pytest.raises(RulesError) as error:
        Rules.preset("british", **{knob: value})
    message = str(error.value)
    assert message.startswith(knob)
    assert expected in message
    assert "expected" in message and "got" in message


def test_limits_may_be_none():
    rules = Rules.preset("british", melds_per_turn=None, layoff_limit=None, max_rebuilds=None)
    row = rules.record()[0]
    assert row["melds_per_turn"] == row["layoff_limit"] == row["max_rebuilds"] == 127


def test_more_min_than_max_seats_is_refused():
    with pytest.raises(RulesError, match=r"min_seats: expected at most max_seats \(3\), got 4"):
        Rules.preset("british", min_seats=4, max_seats=3)


def test_more_deals_than_contracts_are_refused():
    assert Rules.preset("contract", deals=9).deals == 9
    with pytest.raises(RulesError, match="deals: expected at most 9"):
        Rules.preset("contract", deals=10)


def test_an_unknown_knob_names_close_ones():
    with pytest.raises(RulesError, match="got 'opening_point'; did you mean opening_points"):
        Rules.preset("british", opening_point=51)
    with pytest.raises(RulesError, match="got 'xyz'; the knobs are decks, jokers"):
        Rules.preset("british", xyz=1)
    with pytest.raises(RulesError, match="got 'name'"):
        Rules.preset("british", name="mine")


def test_an_unknown_preset_names_close_ones():
    with pytest.raises(RulesError, match="got 'kalooki50'; did you mean kalooki40"):
        Rules.preset("kalooki50")
    with pytest.raises(RulesError, match="expected one of british"):
        Rules.preset(None)


def test_numbers_of_numpy_become_plain():
    rules = Rules.preset("british", opening_points=np.int64(51))
    assert type(rules.opening_points) is int
    json.dumps(rules.to_dict())


# Names, dictionaries, digest


def test_rules_are_named_after_the_nearest_preset():
    assert [rules.name for rules in PRESETS.values()] == list(PRESETS)
    assert Rules.preset("british", opening_points=51).name == "british*"
    assert Rules.preset("ring51", initial=10).name == "ring51*"
    assert Rules.preset("european", initial=6).name == "european*"
    assert Rules.preset("british", opening_points=40).name == "british"


@pytest.mark.parametrize("name", NAMES)
def test_rules_come_back_from_a_dictionary_also_through_json(name):
    rules = Rules.preset(name, turn_cap=400)
    assert Rules.from_dict(rules.to_dict()) == rules
    back = Rules.from_dict(json.loads(json.dumps(rules.to_dict())))
    assert back == rules and hash(back) == hash(rules) and back.digest() == rules.digest()
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_a_dictionary_must_name_every_knob_and_no_other():
    fields = Rules.preset("british").to_dict()
    with pytest.raises(RulesError, match="got 'colour'"):
        Rules.from_dict({**fields, "colour": 1})
    del fields["decks"]
    with pytest.raises(RulesError, match="none for decks"):
        Rules.from_dict(fields)


def test_digests_differ_exactly_where_rules_do():
    digests = {rules.digest() for rules in PRESETS.values()}
    assert len(digests) == 9
    british = Rules.preset("british")
    assert Rules.preset("british", initial=6).digest() not in digests
    assert Rules.from_value({"preset": "british"}).digest() == british.digest()
    assert len(british.digest()) == 16 and int(british.digest(), 16) >= 0


def test_a_case_may_name_a_preset_or_a_mapping():
    assert Rules.from_value("british") == Rules.preset("british")
    mapping = {"preset": "british", "layoff_limit": None}
    assert Rules.from_value(mapping) == Rules.preset("british", layoff_limit=None)
    assert mapping == {"preset": "british", "layoff_limit": None}
    rules = Rules.preset("hunt51", deals=5)
    assert Rules.from_value(rules) is rules
    assert Rules.from_value(rules.to_dict()) == rules
    for bad in (7, None, ["british"]):
        with pytest.raises(RulesError, match="expected a preset name"):
            Rules.from_value(bad)
    with pytest.raises(RulesError, match="knob of Rules, got 3"):
        Rules.from_value({"preset": "british", 3: 4})


def test_a_bare_off_in_yaml_is_off():
    assert Rules.from_value({"preset": "british", "announce": False}).announce == "off"


def test_only_some_variants_play_for_stakes():
    with_stakes = [name for name, rules in PRESETS.items() if rules.has_stakes]
    assert with_stakes == ["british", "european", "ring51", "tournament51"]


def test_a_penalty_is_known_for_every_card():
    rules = Rules.preset("north_american")
    assert rules.card_penalty(parse_card("AH")) == 15
    assert rules.card_penalty(parse_card("*")) == 25
    total = sum(rules.card_penalty(card) for card in range(52))
    assert card_text(0) == "AC" and total == 4 * (15 + 54 + 30)
