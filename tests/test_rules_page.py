"""docs/rules.md says what the rules say, and `kalooki rules` prints it."""

import json
import re
from pathlib import Path

import pytest

from kalooki_env import cli, rules_text
from kalooki_env.commands.knobs import read_knobs
from kalooki_env.rules import PRESETS, Rules
from kalooki_env.rules_text import catalogue, choices, page

PAGE = Path(__file__).parent.parent / "docs" / "rules.md"


def told(rules):
    """Return the whole text of a variant on one line."""
    return " ".join(rules_text.to_text(rules_text.explain(rules), 10_000).split())


# The page


def test_the_page_says_what_the_rules_say():
    assert PAGE.read_text() == page.page()


def test_the_page_has_every_preset_whole_and_every_knob():
    text = page.page()
    for name, rules in PRESETS.items():
        assert f"### {name}\n" in text
        assert rules_text.to_markdown(rules_text.explain(rules), 4) in text
    for knob in Rules.preset("british").to_dict():
        assert f"| `{knob}` |" in text.split("## Every knob")[1]


def test_the_rules_common_to_all_are_in_each():
    common = page.page().split("## Rules common to all nine")[1].split("## Each preset whole")[0]
    shared = [line for line in common.splitlines() if line.startswith("**")]
    assert len(shared) > 8
    for rules in PRESETS.values():
        text = rules_text.to_markdown(rules_text.explain(rules))
        assert all(line in text for line in shared)


def test_every_other_reading_can_be_set_and_is_another():
    for choice in choices.CHOICES:
        for name, *settings in choice.others:
            rules = Rules.preset(name, **read_knobs(settings))
            assert rules != PRESETS[name], choice.question
            assert told(rules) != told(PRESETS[name]), choice.question


def test_every_preset_has_a_source_and_a_summary():
    named = [name for source in choices.SOURCES for name in source.presets]
    assert sorted(named) == sorted(PRESETS) == sorted(catalogue.ABOUT)


def test_every_knob_has_a_meaning_and_a_range():
    knobs = list(Rules.preset("british").to_dict())
    meanings = catalogue.knob_meanings()
    assert list(meanings) == knobs
    assert all(meaning.endswith(".") for meaning in meanings.values())
    assert catalogue.knob_range("decks") == "1-2"
    assert catalogue.knob_range("layoff_limit") == "1-126 or null"
    assert all(catalogue.knob_range(knob) for knob in knobs)


def test_presets_differ_exactly_in_the_knobs_of_the_table():
    rows = catalogue.differences()
    assert rows["decks" if "decks" in rows else "jokers"] == tuple("224244222")
    for knob in Rules.preset("british").to_dict():
        different = len({getattr(rules, knob) for rules in PRESETS.values()}) > 1
        assert (knob in rows) == different


# The command


def kalooki_rules(capsys, *words):
    """Run the command here; return exit code, standard output and standard error."""
    try:
        code = cli.main(["rules", *words])
    except SystemExit as leave:
        code = leave.code
    return (code, *capsys.readouterr())


def test_without_a_preset_each_has_one_line(capsys):
    code, out, err = kalooki_rules(capsys)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[1:10]] == list(PRESETS)
    assert re.search(r"2-5 +40 points +one seat at 150 or less +Kalooki in Britain", lines[1])
    assert lines[-1] == "kalooki rules PRESET explains one of them."
    assert max(map(len, lines)) <= 100
    code, out, _ = kalooki_rules(capsys, "--markdown")
    assert code == 0 and out.count("\n| ") == len(PRESETS) + 1


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_printed_in_the_width_of_the_terminal(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "60")
    code, out, err = kalooki_rules(capsys, name)
    assert (code, err) == (0, "")
    assert out.startswith(f"Kalooki, {name} rules\n")
    assert max(map(len, out.splitlines())) <= 60
    assert " ".join(out.split()).endswith(told(PRESETS[name]))


def test_knobs_change_the_text_and_the_title(capsys):
    words = ("british", "--set", "opening_points=51", "--set", "decks=1")
    code, out, _ = kalooki_rules(capsys, *words)
    assert code == 0
    assert out.startswith("Kalooki, british rules with decks 1, opening_points 51\n")
    assert told(Rules.preset("british", opening_points=51, decks=1)) in " ".join(out.split())
    code, out, _ = kalooki_rules(capsys, "british", "--seats", "3", "--markdown")
    assert code == 0
    assert out.startswith("# Kalooki, british rules\n\n## The aim\n\n**In a deal.** Be the first")
    assert "15 with 3 players" in out


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("decks=1", 1),
        ("layoff_limit=null", None),
        ("layoff_limit=None", None),
        ("first_turn_take=false", False),
        ("first_turn_take=False", False),
        ("announce=off", "off"),
        ('announce="off"', "off"),
        ("announce='off'", "off"),
        ("discard_before_opening = to_open", "to_open"),
        ('hand_size={"2": 15, "3": 13}', {"2": 15, "3": 13}),
        ("hand_size={2 = 15, 3 = 13}", {"2": 15, "3": 13}),
        ('contracts=["33", "34"]', ["33", "34"]),
        ("contracts=['33', '34']", ["33", "34"]),
    ],
)
def test_a_value_may_be_json_toml_or_a_word(setting, value):
    name = setting.split("=")[0].strip()
    assert read_knobs([setting]) == {name: value}


def test_values_lists_every_knob_and_marks_what_differs(capsys):
    words = ("european", "--values", "--set", "layoff_limit=null", "--set", 'hand_size={"2":15}')
    code, out, _ = kalooki_rules(capsys, *words)
    assert code == 0
    lines = out.splitlines()
    names = [line[2:].split()[0] for line in lines[2 : 2 + len(Rules.preset("british").to_dict())]]
    assert names == list(Rules.preset("british").to_dict())
    assert [line for line in lines if line.startswith("* ")] == [
        '* hand_size               {"2": 15}    european: 13',
        "* layoff_limit            null         european: 2",
        "* differs from european",
    ]
    code, out, _ = kalooki_rules(capsys, "european", "--values")
    assert code == 0 and "*" not in out
    code, out, _ = kalooki_rules(capsys, "british", "--values", "--markdown", "--set", "decks=1")
    assert "| * | decks | 1 | british: 2 |" in out


def test_values_can_be_set_again(capsys):
    for name, rules in PRESETS.items():
        _, out, _ = kalooki_rules(capsys, name, "--values", "--markdown")
        rows = [line.split(" | ") for line in out.splitlines() if line.startswith("|  |")]
        assert Rules(**read_knobs([f"{row[1]}={row[2]}" for row in rows[1:]])) == rules


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["britsh"], "expected one of british, european, north_american, kalooki40, double_deck"),
        (["britsh"], "did you mean british?"),
        (["british", "--set", "opening=3"], "got 'opening'; did you mean opening_points"),
        (["british", "--set", "colour=3"], "the knobs are decks, jokers"),
        (["british", "--set", "decks=3"], "decks: expected a whole number 1-2, got 3"),
        (["british", "--set", "decks"], "expected KNOB=VALUE such as --set opening_points=51, got"),
        (["british", "--set", "=3"], "expected KNOB=VALUE"),
        (["british", "--set", "decks="], "expected KNOB=VALUE"),
        (["british", "--set", "contracts=[333"], "expected a value as in JSON or TOML"),
        (["british", "--set", "announce=of"], "expected one of off, auto, manual, got 'of'"),
        (["british", "--seats", "6"], "expected 2-5"),
        (["british", "--seats", "4", "--set", "decks=1"], "53 cards dealt of a pack of 54"),
        (["british", "--seats", "0"], "at least 1"),
        (["--values"], "expected a preset"),
        (["--set", "decks=1"], "use british, european"),
    ],
)
def test_bad_usage_is_one_sentence_and_exit_code_2(capsys, words, says):
    code, out, err = kalooki_rules(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1 and err.startswith("kalooki rules: ")
    assert says in err


def test_the_command_has_help(capsys):
    code, out, _ = kalooki_rules(capsys, "--help")
    assert code == 0
    assert out.startswith("usage: kalooki rules ")
    assert "--set KNOB=VALUE" in out


def test_plain_values_are_shown_as_json():
    assert catalogue.shown(None) == "null" and catalogue.shown("off") == "off"
    assert json.loads(catalogue.shown({2: 15})) == {"2": 15}
