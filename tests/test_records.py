"""Game records: whatever was played comes back, and whatever was touched is found by its line."""

import json
import os
import random
import zlib

import pytest

import kalooki_env
from kalooki_env import Game, Rules, RulesError, actions, agents, records
from kalooki_env.errors import IllegalMove, PositionError, RecordError
from kalooki_env.records import Record
from kalooki_env.records.entries import entries
from kalooki_env.records.lines import LONGEST_LINE, to_bytes
from kalooki_env.rules import PRESETS
from tests.full_disk import full_at

GREEDY = agents.load("greedy")
MIDDLE = {
    "rules": {"preset": "british", "out_above": 60},
    "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H 9D 9S KC KD 4C", "3H * QC"],
    "phase": "play",
    "table": ["JD QD *KD"],
    "opened": [False, True, False],
    "totals": [10, 55, 20],
    "stock": "2C 3C 4C 5C 6C 8C 9C TC JC",
    "added": {1: [0, 0]},
}

TWO_EQUAL_RUNS = {
    "rules": "british",
    "hands": ["8C 2D 3D", "9H 9D"],
    "phase": "play",
    "opened": [True, False],
    "table": ["5C 6C 7C", "5C 6C 7C"],
}


def play(start, moves=10_000, agent=GREEDY):
    """Let an agent play a game in all seats, up to a number of moves; return its recorder."""
    recorder = records.Recorder(start)
    game = start.game()
    while not game.over and recorder.moves < moves:
        if game.to_move is None:
            game.next_deal()
        action = int(agent.act(game, game.to_move))
        game.play(action)
        recorder.play(action)
    assert recorder.game.position() == game.position()
    recorder.close()
    return recorder


def short(seed=7, names=("ann", "bob"), turns=4):
    """Return the record of a deal that is cut after a few turns."""
    return play(Record(Rules.preset("british", turn_cap=turns), 2, seed, names=names)).record


def lines_of(record):
    return to_bytes(entries(record)).splitlines(keepends=True)


def write_lines(path, lines):
    path.write_bytes(b"".join(lines))
    return path


def problem(path, look=records.read, **options):
    """Return the error of a file: one sentence that begins with the file and the line."""
    with pytest.raises(RecordError) as caught:
        look(path, **options)
    error = caught.value
    assert str(error).startswith(f"{path}, line {error.line}: ")
    assert "expected " in str(error) and ", got " in str(error)
    assert str(error).isprintable()
    return error


# What was played comes back


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_every_preset_comes_back_and_is_verified(preset, episode, tmp_path):
    start = Record(Rules.preset(preset), 3, seed=5, episode=episode, names=("a", "b", "c"))
    record = play(start, moves=600 if preset == "contract" else 5_000).record
    path = tmp_path / "games.jsonl"
    records.write(path, [record, record])
    assert records.read(path) == [record, record]
    assert record.over or (preset, episode) == ("contract", "match")  # greedy is lost there
    assert records.verify(path) == (2, 2 * len(record.moves))
    assert records.verify(record) == (1, len(record.moves))
    assert len(record.deals) - len(record.results) == (not record.over)


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        ({"preset": "british", "announce": "manual"}, 4),
        ({"preset": "north_american", "hand_size": {2: 9, 5: 7}, "deals": 3}, 5),
        ({"preset": "contract", "contracts": ["333", "34"]}, 2),
        ({"preset": "kalooki40", "ranks": 9, "suits": 3, "hand_size": 7, "target": 60}, 2),
    ],
)
def test_changed_knobs_are_written_and_read(rules, seats, tmp_path):
    start = Record(Rules.from_value(rules), seats, seed=3, episode="match")
    record = play(start).record
    records.write(tmp_path / "g", [record])
    [again] = records.read(tmp_path / "g")
    assert again.rules == start.rules
    assert records.verify(again).moves == len(record.moves)


def test_the_record_tells_the_game_move_by_move():
    record = short()
    game = Game(Rules.preset("british", turn_cap=4), seats=2, seed=7)
    deal = record.deals[0]
    assert (deal.number, deal.dealer) == (1, int(game.state["dealer"][0]))
    assert list(deal.hands) == game.result["hands"]
    assert deal.stock == game.position()["stock"]
    for seat, move in record.moves:
        assert game.to_move == seat
        game.play(move)
    assert deal.result == {key: game.result[key] for key in deal.result}
    assert deal.result["truncated"] and record.over


def test_the_file_is_text_that_json_reads_with_a_running_check():
    lines = lines_of(short(names=("Äbbä", "*♣")))
    read = [json.loads(line) for line in lines]
    assert [next(iter(line)) for line in read][:3] == ["kalooki", "deal", "seat"]
    assert read[0]["rules"] == {"preset": "british", "turn_cap": 4}
    assert read[0]["names"] == ["Äbbä", "*♣"]
    assert read[-1]["end"] == {"over": True, "deals": 1, "moves": len(read) - 4}
    check = 0
    for line in lines:
        body, _, tail = line.rpartition(b', "check": "')
        check = zlib.crc32(body + b"}", check)
        assert tail == b'%08x"}\n' % check


@pytest.mark.parametrize("moves", [0, 1, 2, 5])
def test_a_game_that_was_left_is_written_as_far_as_it_went(moves, tmp_path):
    record = play(Record(Rules.preset("british"), 2, seed=1), moves=moves).record
    assert record.over is False
    assert len(record.moves) == moves
    records.write(tmp_path / "g", [record])
    assert records.read(tmp_path / "g") == [record]
    assert records.verify(tmp_path / "g") == (1, moves)


def test_a_move_that_was_only_begun_is_left_out():
    """Two equal melds: the seat is asked which one it lays off on."""
    start = Record.at(TWO_EQUAL_RUNS)
    for answer, moves in ((None, ()), (1, ((0, "add 8C @2"),))):
        recorder = records.Recorder(start)
        recorder.play(actions.encode(recorder.game, "add 8C @2")[0])
        assert recorder.game.question == "meld"
        if answer is not None:
            recorder.play(actions.table_id(answer))
        recorder.close()
        assert recorder.record.moves == moves
        assert records.verify(recorder.record).moves == len(moves)


def test_a_game_from_a_position_with_buy_ins_comes_back(tmp_path):
    record = play(Record.at(MIDDLE, seed=8, names=("x", "y", "z"))).record
    records.write(tmp_path / "g", [record])
    assert records.read(tmp_path / "g") == [record]
    assert records.verify(tmp_path / "g").moves == len(record.moves)
    assert any(deal.decisions for deal in record.deals)
    assert {move for deal in record.deals for _, move in deal.decisions} <= {"buy in", "drop out"}


BEGINNINGS = {
    "in a move that asks which meld": TWO_EQUAL_RUNS
    | {"half": [actions.layoff_run_id(0, 1, 8, 0)]},
    "at an announcement": {
        "rules": {"preset": "british", "announce": "manual"},
        "hands": ["4S 5S", "9H 9D"],
        "phase": "announce",
        "opened": [True, False],
        "table": ["5C 6C 7C"],
    },
    "at a buy-in": {
        "rules": "british",
        "hands": ["", "3C", "TH 9S"],
        "phase": "buy_in",
        "totals": [120, 95, 151],
        "to_decide": [2],
    },
    "between two deals": {
        "rules": "british",
        "hands": ["", "3C", "TH 9S"],
        "phase": "over",
        "totals": [120, 95, 140],
    },
}


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_game_may_begin_anywhere(beginning, tmp_path):
    start = Record.at(BEGINNINGS[beginning], seed=2)
    assert start.game() == Game.from_position(BEGINNINGS[beginning], seed=2)
    record = play(start, moves=30).record
    records.write(tmp_path / "g", [record])
    assert records.read(tmp_path / "g") == [record]
    assert records.verify(tmp_path / "g").moves == len(record.moves) > 0


def test_texts_are_recorded_the_way_the_game_writes_them():
    recorder = records.Recorder(Record.at(MIDDLE))
    recorder.play("Meld 7h 7c 7D")
    recorder.play("MELD 7S 6S 5S 4S")
    recorder.play("discard 2d")
    assert [move for _, move in recorder.record.moves] == [
        "meld 7C 7D 7H",
        "meld 4S 5S 6S 7S",
        "discard 2D",
    ]


def test_a_recorder_refuses_what_the_rules_refuse_and_goes_on():
    recorder = records.Recorder(Record(Rules.preset("british"), 2, seed=7))
    before = list(recorder.entries)
    for move in ("discard 2C", actions.DISCARD, "meld 2C 2D 2H"):
        with pytest.raises(IllegalMove):
            recorder.play(move)
    assert recorder.entries == before
    recorder.play("draw")
    assert recorder.moves == 1


def test_choices_alone_are_enough_for_a_record():
    record = play(Record(Rules.preset("contract"), 3, seed=11)).record
    game, choices = record.game(), []
    for _, move in record.moves:
        for action in actions.encode(game, move):
            if len(game.legal_actions()) > 1:
                choices.append(action)
            game.play(action)
    assert len(choices) < len(record.moves)
    assert records.from_choices(record.without_deals(), choices) == record


def test_replay_shows_the_cards_and_then_the_game_after_every_move():
    record = play(Record(Rules.preset("kalooki40", deals=2), 2, seed=4, episode="match")).record
    game = record.game()
    for step in records.replay(record):
        if step.move is not None:
            game.play(step.move)
        elif step.game.position()["turn"] == 1 and game.deal_over:
            game.next_deal()
        assert step.game == game
    assert game.over


def test_what_cannot_be_dealt_cannot_be_recorded():
    with pytest.raises(RulesError):
        records.Recorder(Record(Rules.preset("british"), 2, seed=-1))
    with pytest.raises(PositionError):
        Record.at({"rules": "british", "hands": ["2C 2C 2C", "3C"]})
    with pytest.raises(RecordError, match="names for 3 seats, got 2"):
        Record(Rules.preset("british"), 3, seed=1, names=("a", "b"))


def test_names_are_made_fit_for_any_terminal():
    record = Record(Rules.preset("british"), 2, 1, names=("\x1b[31mred\n", "long" * 100))
    assert record.names[0] == "?[31mred?"
    assert len(record.names[1]) == 100


# Whatever was touched is found by its line


@pytest.fixture(scope="module")
def two():
    """The lines of a file of two short games."""
    return lines_of(short(seed=1, turns=2)) + lines_of(short(seed=2, turns=2))


def test_any_altered_character_is_found_by_its_line(two, tmp_path):
    rng = random.Random(0)
    path = tmp_path / "g"
    for number, line in enumerate(two, 1):
        for at in range(0, len(line), 1 if number <= len(two) // 2 else 7):
            letter = rng.choice([c for c in b'05AXhx{}", \n\x00\xff' if c != line[at]])
            touched = line[:at] + bytes([letter]) + line[at + 1 :]
            write_lines(path, [*two[: number - 1], touched, *two[number:]])
            assert problem(path).line == number, (number, at, touched)


def test_a_removed_line_is_found(two, tmp_path):
    for number in range(1, len(two) + 1):
        write_lines(tmp_path / "g", two[: number - 1] + two[number:])
        assert problem(tmp_path / "g").line == number


def test_swapped_lines_are_found(two, tmp_path):
    for number in range(1, len(two)):
        swapped = [two[number], two[number - 1]]
        write_lines(tmp_path / "g", [*two[: number - 1], *swapped, *two[number + 1 :]])
        assert problem(tmp_path / "g").line == number


def test_an_added_line_is_found(two, tmp_path):
    for number in range(1, len(two)):
        for extra in (two[number - 1], two[-2], b"\n", b"{}\n"):
            if extra == two[number]:
                continue
            write_lines(tmp_path / "g", [*two[:number], extra, *two[number:]])
            assert problem(tmp_path / "g").line == number + 1


def test_a_file_cut_anywhere_is_found(two, tmp_path):
    data, path = b"".join(two), tmp_path / "g"
    first_game = next(n for n, line in enumerate(two) if n and line.startswith(b'{"kalooki"'))
    whole = {sum(map(len, two[:n])) for n in (first_game, len(two))}
    for size in [*range(min(whole) + 200), *range(min(whole) + 200, len(data), 7)]:
        path.write_bytes(data[:size])
        if size in whole:  # the first game alone is a file, too
            assert len(records.read(path)) == 1
        else:
            assert problem(path).line == data[:size].count(b"\n") + 1


def test_a_cut_file_is_readable_up_to_its_last_good_line_if_asked_for(two, tmp_path):
    data, path = b"".join(two), tmp_path / "g"
    games = records.read(write_lines(path, two))
    for size in range(len(two[0]), len(data), 23):
        path.write_bytes(data[:size])
        found = records.read(path, unfinished=True)
        told = [entry for record in found for entry in entries(record)]
        assert len(told) == data[:size].count(b"\n")
        assert told == [entry for record in games for entry in entries(record)][: len(told)]
        assert all(record.over is not None for record in found[:-1])
        records.verify(path, unfinished=True)
    path.write_bytes(data[:100])
    assert "the last good line is 0" in str(problem(path, unfinished=True))


def test_an_altered_line_is_no_unfinished_game(two, tmp_path):
    write_lines(tmp_path / "g", [*two[:3], two[4]])
    assert problem(tmp_path / "g", unfinished=True).line == 4


# Who writes the checks anew is found out by the rules


def forged(record, change):
    """Return a record with changed lines whose checks are right, as a file would bring it."""
    told = json.loads(json.dumps(list(entries(record))))
    change(told)
    return to_bytes(told)


def entry_of(told, kind):
    return next(index for index, entry in enumerate(told) if kind in entry)


def set_end(told, **end):
    told[-1]["end"] |= end


def drop_a_move(told):
    del told[5]
    set_end(told, moves=told[-1]["end"]["moves"] - 1)


def other_rules(told):
    """Change the rules, and leave out what they were made with."""
    told[0]["rules"] = "british"
    del told[0]["made"]


def deal_other_cards(told):
    stock = told[1]["stock"].split()
    stock[3], stock[-1] = stock[-1], stock[3]
    told[1]["stock"] = " ".join(stock)


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (lambda told: told[2].update(seat=1 - told[2]["seat"]), 3, "expected a move of seat "),
        (
            lambda told: told[2].update(move="discard 2C"),
            3,
            "expected a legal move, got discard 2C: first draw a card",
        ),
        (lambda told: told[2].update(move="jump\n\x1b"), 3, "expected a move that starts with"),
        (lambda told: told[2].update(move="jump" * 999), 3, "expected a move that starts with"),
        (lambda told: told[3].update(move=told[3]["move"].lower()), 4, "expected 'discard"),
        (drop_a_move, 7, "expected a legal move, got discard "),
        (deal_other_cards, 2, "expected deal 1, dealer "),
        (lambda told: told[1].update(dealer=1 - told[1]["dealer"]), 2, "expected deal 1, dealer "),
        (lambda told: told[-2]["result"].update(pool=11), -2, "expected the result "),
        (lambda told: told[-2]["result"].update(winner=0), -2, "expected the result "),
        (lambda told: told.pop(-2), -1, "expected the result "),
        (lambda told: told.insert(4, told.pop(-2)), 5, "expected a move, got a result"),
        (lambda told: set_end(told, over=False), -1, "expected {'end': {'over': True"),
        (lambda told: told[0].update(seed=8), 2, "expected deal 1, dealer "),
        (other_rules, -2, "expected a move, got a result"),
        (lambda told: told[0].update(deal=2), 1, "expected deal from 1 to 1"),
    ],
)
def test_a_forged_record_is_found_by_playing_it(change, line, says, tmp_path):
    record = short()
    data = forged(record, change)
    path = tmp_path / "g"
    path.write_bytes(data)
    records.read(path)
    found = problem(path, records.verify)
    assert found.line == (line if line > 0 else data.count(b"\n") + 1 + line)
    assert says in str(found)


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (lambda told: told[0].update(seats=10**9), 1, "seats: expected 2-5"),
        (lambda told: told[0].update(rules="bridge"), 1, "did you mean british|expected one of"),
        (lambda told: told[0].update(rules={"preset": "british", "jokers": 99}), 1, "jokers"),
        (lambda told: told[0].update(rules={"ruels": 1}), 1, "ruels"),
        (lambda told: told[0].update(names=["a"]), 1, "names for 2 seats, got 1"),
        (lambda told: told[0].update(names=["\x1b[2J", "b"]), 1, "printable names"),
        (lambda told: told[0].update(version=2), 1, "expected version 1, got 2: use the version"),
        (lambda told: told[0].update(episode="round"), 1, 'expected "deal" or "match"'),
        (lambda told: told[0].update(seed=-1), 1, "expected a number of 0 or more for 'seed'"),
        (lambda told: told[0].update(extra=1), 1, "expected the keys kalooki, version, made"),
        (lambda told: told[2].update(seat=True), 3, "expected a number of 0 or more for 'seat'"),
        (
            lambda told: told[2].update(extra=1),
            3,
            "expected the keys seat, move, got seat, move, e",
        ),
        (lambda told: told[2].pop("move"), 3, "expected the keys seat, move, got seat"),
        (lambda told: told[-2]["result"].pop("pool"), -2, "expected the keys winner, kalooki"),
        (lambda told: told[-2].update(result=[]), -2, "expected an object for 'result', got []"),
        (lambda told: told[-2]["result"].update(chips=[0.5]), -2, "a whole number for 'chips'"),
        (lambda told: set_end(told, moves=99), -1, "expected the end to count 1 deals and"),
        (lambda told: told.insert(2, {"joke": 1}), 3, "expected a line that begins with kalooki"),
        (lambda told: told.insert(2, {}), 3, "expected a line that begins with kalooki"),
        (lambda told: told.insert(2, told[0]), 3, "expected the game to go on here"),
        (lambda told: told.insert(2, told[1]), 3, "expected the game to go on here"),
        (lambda told: told.insert(-1, told[-2]), -2, "expected the game to go on here"),
        (lambda told: told.pop(1), 2, "expected the game to go on here, got a line with 'seat'"),
    ],
)
def test_a_file_with_right_checks_and_wrong_contents_is_refused(change, line, says, tmp_path):
    data = forged(short(), change)
    path = tmp_path / "g"
    path.write_bytes(data)
    found = problem(path)
    assert found.line == (line if line > 0 else data.count(b"\n") + 1 + line)
    assert any(words in str(found) for words in says.split("|")), str(found)


JUNK = [None, True, -1, 3, 10**30, 1.5, "", "x" * 300, "2C", [], [[]], [None] * 9, {}, {"a": 1}]


@pytest.mark.parametrize("source", ["deal", "position"])
def test_no_junk_is_anything_but_a_record_error(source, tmp_path):
    """Every value of every line, replaced by several kinds of junk, with the right checks."""
    record = short()
    if source == "position":
        record = play(Record.at(MIDDLE, seed=8, episode="deal"), moves=4).record
    told = json.loads(json.dumps(list(entries(record))))
    path, refused, rng = tmp_path / "g", 0, random.Random(4)

    def places(value, at=()):
        yield at
        if isinstance(value, dict | list):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, inner in items:
                yield from places(inner, (*at, key))

    kinds = {next(iter(entry)): index for index, entry in reversed(list(enumerate(told)))}
    for index in kinds.values():
        for at in places(told[index]):
            for junk in rng.sample(JUNK, 5) if at else [[], "x", {}]:
                copy = json.loads(json.dumps(told))
                holder = copy
                for key in (index, *at)[:-1]:
                    holder = holder[key]
                holder[(index, *at)[-1]] = junk
                path.write_bytes(to_bytes_of_anything(copy))
                try:
                    records.verify(path)
                except RecordError as error:
                    refused += 1
                    assert error.line is not None
    assert refused > 200


def to_bytes_of_anything(told):
    """Write lines with right checks, also of what is no object."""
    lines, check = [], 0
    for entry in told:
        body = json.dumps(entry, ensure_ascii=False).encode()
        check = zlib.crc32(body, check)
        lines.append(body[:-1] + b', "check": "%08x"}\n' % check)
    return b"".join(lines)


def with_check(body, check=0):
    return body[:-1] + b', "check": "%08x"}\n' % zlib.crc32(body, check)


HEADER = (
    b'{"kalooki": "record", "version": 1, "rules": "british", "seats": 2, "seed": 7, '
    b'"episode": "deal", "deal": null, "names": ["a", "b"]}'
)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "got an empty file"),
        (b"\n", "expected a game record, which begins with"),
        (b"hello\n", "got 'hello'"),
        (b"hello", "got 'hello'"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "is it another kind of file?"),
        (b'{"a": 1}\n', "is it another kind of file?"),
        (b'{"kalooki": "rec', "the last good line is 0"),
        (HEADER + b"\n", "expected a line that ends with its check"),
        (with_check(HEADER, 1), "expected the check"),
        (with_check(HEADER.replace(b'"a"', b'"\xff"')), "expected a JSON object as this program"),
        (with_check(HEADER.replace(b'"seed": 7', b'"seed": 7, "seed": 7')), "every key once"),
        (with_check(HEADER.replace(b'"seed": 7', b'"seed":7')), "every key once"),
        (with_check(HEADER.replace(b'"seed": 7', b'"seed": NaN')), "expected a JSON object"),
        (with_check(HEADER.replace(b"7", b"7" * 5000)), "expected a JSON object"),
        (with_check(HEADER.replace(b'"british"', b"[" * 30_000 + b"]" * 30_000)), "JSON object"),
        (with_check(HEADER.replace(b'"british"', b'{"a":' * 9_000 + b"1" + b"}" * 9_000)), "JSON"),
        (with_check(HEADER.replace(b"version", b"edition")), "another kind of file"),
        (with_check(HEADER.replace(b": 1,", b": 11,")), "expected version 1, got 11"),
        (with_check(HEADER.replace(b": 1,", b": null,")), "expected version 1, got none"),
        (HEADER[:-1] + b"x" * LONGEST_LINE + b"\n", "expected a line of at most 65,536 bytes"),
    ],
)
def test_what_is_no_record_is_refused_in_its_first_line(data, says, tmp_path):
    path = tmp_path / "g"
    path.write_bytes(data)
    found = problem(path)
    assert found.line == 1
    assert says in str(found)
    assert str(found).isprintable()


def test_a_gigabyte_without_a_line_feed_is_not_read(two, tmp_path):
    path = tmp_path / "g"
    write_lines(path, two[:2])
    os.truncate(path, 1 << 30)
    assert "at most 65,536 bytes" in str(problem(path))


@pytest.mark.parametrize("name", ["nowhere", ".", "a/b", "\0"])
def test_a_file_that_cannot_be_read_has_no_line(name, tmp_path):
    (tmp_path / "a").write_text("")
    with pytest.raises(RecordError, match="expected a file of game records, got ") as caught:
        records.read(tmp_path / name)
    assert caught.value.line is None


# Writing


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "g"
    records.write(path, [short()])
    before = path.read_bytes()

    def stopping():
        yield short(seed=9)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        records.write(path, stopping())
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["g"]


def test_games_are_added_to_a_file(tmp_path):
    path = tmp_path / "g"
    games = [short(seed) for seed in range(3)]
    for game in games:
        records.check_appendable(path)
        records.append(path, game)
    assert records.read(path) == games
    assert [game.line for game in records.read(path)][1] == len(lines_of(games[0])) + 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"my diary\n", "is it another kind of file?"),
        (b"".join(lines_of(short())[:-1]), "ends in the middle of one"),
        (b"".join(lines_of(short()))[:-1], "ends in the middle of one"),
        (b'{"kalooki": "record", "version": 2}\n', "expected version 1, got 2"),
    ],
)
def test_no_game_is_added_to_another_kind_of_file(content, says, tmp_path):
    path = tmp_path / "g"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=says):
        records.check_appendable(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["", "missing/g", "/dev/null"])
def test_nothing_is_written_where_no_file_can_be(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordError):
        records.check_appendable(name)
    with pytest.raises(RecordError):
        records.write(name, [short()])
    assert os.listdir(tmp_path) == []


def test_a_journal_has_every_move_in_the_file_at_once(tmp_path):
    path = tmp_path / "g"
    record = short()
    journal = records.Journal(path, record)
    assert not path.exists()
    for number, (_, move) in enumerate(record.moves, 1):
        journal.play(move)
        [found] = records.read(path, unfinished=True)
        assert len(found.moves) == number
        assert found.over is None
    journal.close()
    assert records.read(path) == [record]


def test_a_journal_without_a_move_leaves_no_file(tmp_path):
    journal = records.Journal(tmp_path / "g", short())
    journal.close()
    assert os.listdir(tmp_path) == []


def test_a_journal_that_cannot_write_does_not_stop_the_game(tmp_path):
    record = short()
    journal = records.Journal(tmp_path / "gone" / "g", record)
    for _, move in record.moves:
        journal.play(move)
    journal.close()
    assert journal.problem == "No such file or directory"


def test_a_journal_that_was_interrupted_writes_nothing_false(tmp_path, monkeypatch):
    path, record = tmp_path / "g", short()
    journal = records.Journal(path, record)
    moves = [move for _, move in record.moves]
    journal.play(moves[0])

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(records.Recorder, "play", interrupt)
        with pytest.raises(KeyboardInterrupt):
            journal.play(moves[1])
    journal.play(moves[1])
    journal.close()
    assert journal.problem == "it was interrupted"
    [found] = records.read(path, unfinished=True)
    assert len(found.moves) == 1


# What it was made with


def test_a_record_says_what_it_was_made_with():
    made = json.loads(lines_of(short())[0])["made"]
    assert made["version"] == kalooki_env.__version__
    assert Rules.from_dict(made["values"]) == Rules.preset("british", turn_cap=4)


def without_made(record):
    return forged(record, lambda told: told[0].pop("made"))


@pytest.mark.parametrize("first", [False, True], ids=["made", "first"])
def test_a_preset_that_has_other_values_now_is_told_in_one_line(first, tmp_path, monkeypatch):
    """In place of playing the game by rules that are not its own."""
    path = tmp_path / "g"
    path.write_bytes(without_made(short()) if first else to_bytes(entries(short())))
    assert records.verify(path).games == 1
    monkeypatch.setitem(PRESETS, "british", Rules.preset("british", opening_points=51))
    error = problem(path)
    assert error.line == 1
    assert str(error).endswith(
        "use the version of kalooki that wrote it" if first else "with 40: use that version"
    )
    assert first or "with opening_points 51, got a game made by kalooki '0.1.0'" in str(error)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda values: values.update(moon=1), "with no knob 'moon', got a game made by"),
        (lambda values: values.update(jokers=4), "with jokers 2, got a game made by"),
        (lambda values: values.pop("jokers"), None),  # a knob that was added since
    ],
)
def test_knobs_that_came_or_changed_since(change, told, tmp_path):
    path = tmp_path / "g"
    path.write_bytes(forged(short(), lambda lines: change(lines[0]["made"]["values"])))
    if told is None:
        assert records.verify(path).games == 1
    else:
        assert told in str(problem(path))


@pytest.mark.parametrize("made", [None, 1, {}, {"version": 1, "values": {}}, {"values": {}}])
def test_what_does_not_say_what_made_it_is_refused(made, tmp_path):
    path = tmp_path / "g"
    path.write_bytes(forged(short(), lambda told: told[0].update(made=made)))
    assert "expected what made it for 'made'" in str(problem(path))


def test_a_full_disk_leaves_whole_lines_of_a_journal(tmp_path):
    path, record = tmp_path / "g", short()
    journal = records.Journal(path, record)
    journal.play(record.moves[0][1])
    before = path.read_bytes()
    with full_at(len(before) + 20):
        journal.play(record.moves[1][1])
    journal.close()
    assert journal.problem == "File too large"
    assert path.read_bytes() == before


def test_a_full_disk_leaves_the_games_of_a_file_as_they_were(tmp_path):
    path = tmp_path / "g"
    records.append(path, short())
    before = path.read_bytes()
    with full_at(len(before) + 100):
        for write in (records.append, lambda path, game: records.write(path, [game] * 2)):
            with pytest.raises(RecordError, match="got: File too large"):
                write(path, short())
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["g"]
