"""What a person types, and lists of moves that stay short."""

import pytest

from kalooki_env.play.lists import expand, grouped


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("d", "draw"),
        ("D 4h", "discard 4h"),
        ("x *", "discard *"),
        ("t", "take"),
        ("m 5c *6c 7c", "meld 5c *6c 7c"),
        ("a 8C @2", "add 8C @2"),
        ("s TH TS @1", "swap TH TS @1"),
        ("DRAW", "draw"),
        ("discard 4♥", "discard 4H"),
        ("meld J♠ Q♠ K♠", "meld JS QS KS"),
        ("buy in", "buy in"),
        ("sing", "sing"),
        ("", ""),
    ],
)
def test_short_forms_and_suit_symbols_are_read(typed, move):
    assert expand(typed) == move


def test_a_long_list_is_cut_and_counted():
    moves = [f"meld {n}C" for n in range(1000)] + ["discard 4H", "discard 5H"]
    lines, numbered = grouped(moves, per_group=5)
    assert numbered == [*moves[:5], "discard 4H", "discard 5H"]
    assert any("and 995 more" in line for line in lines)
    assert lines[-1].split() == ["6", "discard", "4H", "7", "discard", "5H"]
    assert len(lines) == 5
    assert all(len(line) <= 78 for line in lines)


def test_long_moves_stand_one_to_a_line():
    run = "meld 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    lines, _ = grouped([run, run.replace("C", "D")])
    assert [line.strip() for line in lines[1:]] == [f"1  {run}", f"2  {run.replace('C', 'D')}"]
