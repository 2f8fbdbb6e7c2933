"""The case files, and the runner that plays them."""

import json
from pathlib import Path

import pytest

from kalooki_env import cases, cli

FOLDER = Path(__file__).parent / "cases"
ALL = cases.load([FOLDER])


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_case(case):
    assert cases.check(case) == [], f"{case.file}:{case.line} {case.why}"


def test_every_case_file_is_read():
    assert {Path(case.file).stem for case in ALL} == {path.stem for path in FOLDER.glob("*.yaml")}
    assert len(ALL) >= 219
    assert sum(case.preset == "british" for case in ALL) >= 90


def write(tmp_path, text):
    path = tmp_path / "case.yaml"
    path.write_text(text, encoding="utf-8")
    return path


OPENING = """
- id: X1
  why: Four tens are 40.
  rules: british
  hands: ["TC TD TH TS 4C", "9H 9D"]
  phase: play
"""


def problems(tmp_path, more):
    [case] = cases.load([write(tmp_path, OPENING + more)])
    return cases.check(case)


def test_a_legal_move_that_should_not_be_is_told(tmp_path):
    assert problems(tmp_path, '  illegal: ["meld TC TD TH TS"]') == [
        "'meld TC TD TH TS': expected illegal, got legal"
    ]


def test_an_illegal_move_that_should_be_legal_is_told_with_its_reason(tmp_path):
    [problem] = problems(tmp_path, '  legal: ["meld TC TD TH"]')
    assert problem.startswith("'meld TC TD TH': expected legal, got illegal: ")
    assert len(problem) > len("'meld TC TD TH': expected legal, got illegal: ")


def test_a_text_that_is_no_move_is_neither_legal_nor_illegal(tmp_path):
    [problem] = problems(tmp_path, '  illegal: ["discard TC TD"]')
    assert problem.startswith("'discard TC TD': expected illegal, got NotationError")


def test_a_move_that_cannot_be_played_ends_the_case(tmp_path):
    [problem] = problems(tmp_path, '  moves: ["draw", "discard 4C"]\n  expect: {winner: 0}')
    assert problem.startswith("move 1 'draw': expected legal, got IllegalMove: ")


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ('{hands: ["TC TD TH TS 4D", "9H 9D"]}', "hands: expected"),
        ("{to_move: 1}", "to_move: expected 1, got 0"),
        ("{over: true}", "over: expected true, got false"),
        ("{winner: 0}", "winner: expected 0, got null"),
        ("{stock_size: 3}", "stock_size: expected 3, got "),
        ('{table: ["TC TD TH"]}', 'table: expected ["TC TD TH"], got []'),
        ('{discards: "4H"}', 'discards: expected "4H", got '),
        ('{meld_points: {"TC TD TH": 31}}', "meld_points of 'TC TD TH': expected 31, got 30"),
    ],
)
def test_each_wrong_expectation_is_told(tmp_path, expect, told):
    [problem] = problems(tmp_path, f"  expect: {expect}")
    assert problem.startswith(told)


def test_hands_and_sets_are_compared_without_order_and_runs_with_it(tmp_path):
    assert not problems(tmp_path, '  expect: {hands: ["ts th 10c td 4c", "9D 9H"]}')
    assert not problems(
        tmp_path, '  moves: ["meld TS TH TD TC"]\n  expect: {table: ["TH TS TC TD"]}'
    )
    text = OPENING.replace("TC TD TH TS 4C", "TD JD QD KD 4C") + '  moves: ["meld KD QD JD TD"]\n'
    [up] = cases.load([write(tmp_path, text + '  expect: {table: ["TD JD QD KD"]}')])
    assert not cases.check(up)
    [down] = cases.load([write(tmp_path, text + '  expect: {table: ["KD QD JD TD"]}')])
    assert cases.check(down)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- id: A\n  rules: british\n", "got no hands: add it"),
        ("- id: A\n  rules: british\n  hands: []\n  movse: []\n", "got 'movse'"),
        ("- id: A\n  rules: british\n  hands: []\n  expect: {wins: 0}\n", "got 'wins'"),
        ("id: A\n", "expected a list of cases"),
        ("- id: [\n", "expected YAML"),
        (OPENING + OPENING, "expected an id of its own, got 'X1'"),
        ("- 7\n", "expected a case with id, rules and hands, got 7"),
    ],
)
def test_a_file_that_holds_no_cases_is_refused_in_one_line(tmp_path, text, told):
    with pytest.raises(cases.CaseError) as error:
        cases.load([write(tmp_path, text)])
    assert told in str(error.value)
    assert str(tmp_path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_position_that_cannot_arise_fails_its_case(tmp_path):
    [case] = cases.load([write(tmp_path, OPENING.replace("4C", "TC TC"))])
    [problem] = cases.check(case)
    assert problem.startswith("position: expected a position, got PositionError: ")


def test_the_preset_of_a_case_is_found_below_an_override():
    assert {case.preset for case in ALL if not isinstance(case.rules, str)} >= {"british", "hunt51"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- id: A\n  discards: *\n", ":2: expected quotes around a text that begins with a joker"),
        ("- id: A\n  hands: [*KD 2C]\n", ":2: expected quotes around"),
        ("- id: A\n  why: x\n  id: B\n", ":3: expected every key once, got 'id' again"),
        (OPENING + "  expect: {over: true, over: true}\n", "every key once, got 'over' again"),
        ("- id: " + "[" * 5000, ":1: expected a case, got one nested too deep"),
        ("- id: " + "[" * 50 + "]" * 50, ":1: expected a case, got one nested too deep"),
        ("- &a [*a]\n", "nested too deep"),
        ("- id: A\n  deal: " + "9" * 5000, ":2: expected a number, got one of 5,000 digits"),
        ("- id: A\n  deal: 0x" + "f" * 5000, ":2: expected a number, got one of"),
        ("- id: A\n  why: 2001-13-45\n", ":2: expected plain texts and numbers, got a timestamp"),
        ("- id: A\n  why: !!int x\n", ":1: expected YAML"),
        ("- !!python/object/apply:os.getcwd []\n", "expected plain texts and numbers"),
        ("- {id: A, rules: [british], hands: []}\n", "expected a preset or a mapping for rules"),
    ],
)
def test_what_cannot_be_read_is_one_line_the_rest_runs_and_all_is_counted(
    tmp_path, capsys, text, told
):
    write(tmp_path, text)
    good = OPENING + '  legal: ["meld TC TD TH TS"]\n'
    for name in ("before", "later"):
        (tmp_path / f"{name}.yaml").write_text(good.replace("X1", name))
    assert cli.main(["cases", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out.endswith("2 passed, 1 failed\n")
    [line] = err.splitlines()
    assert line.startswith(f"kalooki cases: {tmp_path / 'case.yaml'}") and told in line
    assert len(line) < 400


def test_the_other_cases_of_a_file_run(tmp_path, capsys):
    good = OPENING + '  legal: ["meld TC TD TH TS"]\n'
    write(tmp_path, good + "- 7\n" + good + good.replace("X1", "X2"))
    assert cli.main(["cases", str(tmp_path), "--json"]) == 2
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert (report["passed"], report["failed"], len(report["unread"])) == (2, 2, 2)
    assert err.splitlines()[-1] == "2 passed, 2 failed"
