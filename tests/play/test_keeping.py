"""What is kept of a game: its record while it is played, taken back, left and gone on with."""

import pytest

from kalooki_env import agents, records
from kalooki_env.errors import KalookiError, RecordError
from kalooki_env.play import opponents, saved, score, seating
from kalooki_env.play.session import Session
from kalooki_env.play.wishes import Wishes
from kalooki_env.records import Record
from kalooki_env.rules import Rules

BRITISH = Rules.preset("british")
HANDS = ["7C 7D 7H 4S 5S 6S 7S 2D 3D", "9H 9D"]
PLAYING = {
    "rules": "british",
    "hands": HANDS,
    "phase": "play",
    "stock": "2C 3C 4C",
    "discards": "KH",
}


def at(position, record=None):
    start = Record.at(position)
    return Session(start.rules, {1: agents.load("greedy")}, 0, start=start, record=record)


def play_on(session, until):
    """Play like greedy until something holds."""
    greedy = agents.load("greedy")
    while not until(session):
        if session.my_turn:
            session.play(session.hint(greedy))
        elif session.game.to_move is None:
            session.next_deal()
        else:
            session.answer(*session.think())


# Undo


def test_melds_of_the_own_turn_are_taken_back_one_by_one():
    session = at(PLAYING)
    states = [session.game.to_bytes()]
    for move in ("meld 7C 7D 7H", "meld 4S 5S 6S 7S"):
        session.play(move)
        states.append(session.game.to_bytes())
    for move in ("meld 4S 5S 6S 7S", "meld 7C 7D 7H"):
        assert session.game.to_bytes() == states.pop()
        assert session.can_undo
        assert session.undo().move == move
    assert session.game.to_bytes() == states.pop()
    assert not session.can_undo
    assert session.events == []


def test_a_card_from_the_stock_is_not_given_back():
    session = at({**PLAYING, "phase": "draw"})
    session.play("draw")
    assert not session.can_undo
    session.play("meld 7C 7D 7H")
    session.undo()
    assert not session.can_undo


def test_a_card_from_the_pile_is_given_back():
    session = at({**PLAYING, "phase": "draw", "opened": [True, True]})
    session.play("take")
    session.undo()
    assert session.game.phase == "draw"
    assert session.view.pile == ("KH",)


def test_a_turn_that_is_over_is_not_taken_back():
    session = at({**PLAYING, "opened": [True, True]})
    session.play("discard 3D")
    assert not session.can_undo


def test_the_discard_can_be_taken_back_while_the_announcement_is_asked():
    rules = {"preset": "british", "announce": "manual"}
    session = at({**PLAYING, "rules": rules, "opened": [True, True], "hands": ["4S 5C", "9H"]})
    session.play("discard 4S")
    assert session.game.phase == "announce"
    session.undo()
    assert session.view.hand == ("5C", "4S")


# The record


def test_the_record_is_as_if_nothing_had_been_taken_back(tmp_path):
    direct, wavering = at(PLAYING, tmp_path / "a"), at(PLAYING, tmp_path / "b")
    wavering.play("meld 4S 5S 6S 7S")
    wavering.play("meld 7C 7D 7H")
    wavering.undo()
    wavering.undo()
    for session in (direct, wavering):
        session.play("meld 7C 7D 7H")
    for session in (direct, wavering):
        session.play("meld 4S 5S 6S 7S")
        session.play("discard 3D")
        session.close()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert records.verify(tmp_path / "b").moves == 3


def test_another_program_that_writes_to_the_record_is_noticed(tmp_path):
    session = at(PLAYING, tmp_path / "a")
    session.play("meld 7C 7D 7H")
    with open(tmp_path / "a", "a") as file:
        file.write("{}\n")
    session.play("meld 4S 5S 6S 7S")
    assert session.book.problem == "another program wrote to it"
    assert (tmp_path / "a").read_text().endswith("{}\n")


# Going on


def sit_down(**wishes):
    return seating.sit_down(Wishes(**{"opponents": "greedy", "seed": 7, **wishes}))


@pytest.mark.parametrize("leaves", ["killed", "left", "killed in a line"])
def test_a_match_goes_on_where_it_was(leaves):
    seated = sit_down(seats=3)
    session = seated.session
    play_on(session, lambda s: s.view.deal == 2 and s.my_turn and s.game.phase == "play")
    game, path = session.game.clone(), session.book.path
    if leaves == "left":
        assert seated.leave()[-1] == "Go on with this match: kalooki play --continue"
    if leaves == "killed in a line":
        with open(path, "a") as file:
            file.write('{"seat": 1, "mo')
    again = seating.resume().session
    assert again.game == game
    assert again.names == session.names
    assert again.events == session.events
    play_on(again, lambda s: s.game.deal_over)
    again.close()
    assert records.verify(path).games == 1


def test_a_match_that_goes_on_ends_as_if_it_had_not_been_left():
    whole = sit_down(rules="hunt51")
    play_on(whole.session, lambda s: s.game.over)
    left = sit_down(rules="hunt51")
    play_on(left.session, lambda s: s.view.turn > 4)
    left.leave()
    again = seating.resume()
    play_on(again.session, lambda s: s.game.over)
    assert again.session.results == whole.session.results
    assert again.session.results[0]["match_winner"] is not None
    again.leave()
    assert saved.tables() == []


def test_an_undone_move_is_not_there_after_going_on():
    seated = sit_down(rules="kalooki40")
    play_on(seated.session, lambda s: s.my_turn and s.game.phase == "draw" and s.view.turn > 2)
    before = seated.session.game.clone()
    seated.session.play("take")
    seated.session.undo()
    assert seating.resume().session.game == before


def test_who_sits_where_is_kept():
    seated = sit_down(seats=3, opponents=("random", "greedy"))
    seated.session.opponents()
    seated.session.play("draw")
    again = seating.resume()
    assert [again.session.agents[seat].name for seat in (1, 2)] == ["random", "greedy"]
    assert "3 seats, deal 1" in saved.tables()[0].told


def test_a_match_given_up_is_not_gone_on_with():
    seated = sit_down()
    seated.session.opponents()
    seated.session.play("draw")
    seated.leave(for_good=True)
    with pytest.raises(RecordError, match="found none: kalooki play begins one"):
        seating.resume()


def test_games_after_it_in_the_file_are_not_overwritten(tmp_path):
    path = tmp_path / "games"
    first = sit_down(record=str(path))
    first.session.opponents()
    first.session.play("draw")
    first.leave()
    second = sit_down(record=str(path), seed=8)
    second.session.opponents()
    second.session.play("draw")
    second.leave(for_good=True)
    data = path.read_bytes()
    with pytest.raises(KalookiError):
        seating.resume()
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda text: text[: len(text) // 2], "which is damaged"),
        (lambda text: "[]", "which is none"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "of version 2, expected 1"),
        (lambda text: text.replace('["greedy"]', "[3]"), "whose 'opponents' cannot be used"),
        (lambda text: text.replace('"normal"', '"quick"'), "whose 'speed' cannot be used"),
    ],
)
def test_a_broken_table_is_refused_in_one_sentence(spoil, told):
    seated = sit_down()
    seated.session.opponents()
    seated.session.play("draw")
    path = saved.tables()[0].path
    path.write_text(spoil(path.read_text()))
    with pytest.raises(RecordError, match=told) as caught:
        saved.read(path)
    assert "\n" not in str(caught.value)
    assert saved.tables() == []


def test_a_table_that_was_left_before_speeds_were_kept_has_the_usual_one():
    seated = sit_down()
    seated.session.opponents()
    seated.session.play("draw")
    seated.keep_speed("slow")
    path = saved.tables()[0].path
    assert saved.read(path).speed == "slow"
    path.write_text(path.read_text().replace(', "speed": "slow"', ""))
    assert saved.read(path).speed == "normal"


def test_an_altered_record_is_refused():
    seated = sit_down()
    seated.session.opponents()
    seated.session.play("draw")
    path = seated.session.book.path
    path.write_text(path.read_text().replace('"seed": 7', '"seed": 8'))
    with pytest.raises(RecordError, match="line 1"):
        seating.resume()


@pytest.mark.parametrize("how", [[], ["--verify"], ["--all", "--seat", "0"]])
@pytest.mark.parametrize("rest", ["", '{"seat": 1, "mo'])
def test_a_match_that_is_not_over_is_replayed_as_far_as_it_is(capsys, how, rest):
    from kalooki_env import cli

    session = sit_down().session
    session.opponents()
    session.play("draw")
    with open(session.book.path, "a") as file:
        file.write(rest)  # killed in the middle of a line
    assert cli.main(["replay", str(session.book.path), *how]) == 0
    assert capsys.readouterr().out.endswith("kalooki play --continue goes on with it.\n")
    saved.remove(saved.tables()[0].path)
    assert cli.main(["replay", str(session.book.path), *how]) == 1
    assert "it was cut short" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["greedy", "heuristic:light", "search:worlds=4"])
def test_a_built_in_opponent_is_found_again_by_its_name(name):
    assert opponents.lasting(name) == name


def test_the_score_sheet_tells_penalties_buy_ins_and_who_is_out():
    rules = Rules.preset("british", out_above=40, buy_ins=1)
    others = {seat: agents.load("greedy", seed=seat) for seat in (1, 2)}
    session = Session(rules, others, 11)
    play_on(session, lambda s: s.game.over)
    rows = score.sheet(session)
    assert [number for number, _ in rows] == [str(n) for n in range(1, len(rows) + 1)]
    cells = [cells for _, cells in rows]
    assert all(sum(cell in ("won", "kalooki") for cell in row) == 1 for row in cells)
    bought = sum(cell.endswith(", buys in") for row in cells for cell in row)
    assert bought == session.game.state["buy_ins"][0].sum()
    assert sum(cell.endswith(", out") for row in cells for cell in row) == 2
