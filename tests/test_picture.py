"""One seat's view as a picture: everything it sees, nothing it does not, always of one size."""

import copy
import io
import itertools
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from PIL import Image

from kalooki_env import Game, Rules, actions, agents, kalooki_v0
from kalooki_env.render.picture import draw, paint, render_picture, words
from kalooki_env.render.picture.faces import back, face, rank_in_set
from kalooki_env.render.picture.gif import Gif
from kalooki_env.render.picture.melds import lay_out
from kalooki_env.render.view import MeldView, view_of
from kalooki_env.rules import PRESETS
from kalooki_env.vector import KalookiVectorEnv
from tests.test_render import PLAYED, game_of, hide_and_shuffle

SIZE = (640, 960, 3)
CODE = (65536, 256, 1)
"""Makes one number of a colour."""
NAMES = ("you", "b", "c", "d", "e", "f")


def greedy_game(rules="british", seats=2, seed=0, **arguments):
    """Yield a game before its first move and after each."""
    game, greedy = Game(rules, seats=seats, seed=seed, **arguments), agents.load("greedy")
    yield game
    while not game.over:
        game.play(int(greedy.act(game, game.to_move)))
        yield game


def picture(seat=0, **changes):
    """Draw the position of the text tests with something changed."""
    return game_of(**changes).picture(seat)


# What is in a picture


def test_a_picture_is_a_new_array_of_one_size():
    game = Game("british", seats=2, seed=1)
    seen = game.picture(0)
    assert (seen.shape, seen.dtype) == (SIZE, np.uint8)
    seen[:] = 0
    again = game.picture(0)
    assert again.any() and np.array_equal(again, game.clone().picture(0))


@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_every_preset_can_be_drawn_at_every_moment_with_every_number_of_seats(rules):
    preset = Rules.preset(rules)
    for seats in range(preset.min_seats, preset.max_seats + 1):
        for game in itertools.islice(greedy_game(rules, seats, seed=seats), 0, None, 23):
            assert game.picture(game.to_move or 0).shape == SIZE
        assert game.picture(seats - 1).shape == SIZE


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_hidden_cards_change_nothing_in_a_picture(seats):
    rng = np.random.default_rng(seats)
    changed = 0
    for game in itertools.islice(greedy_game(seats=seats, seed=seats), 0, 160, 9):
        if game.over:
            break
        seat = int(rng.integers(seats))
        other = hide_and_shuffle(game, seat, rng)
        assert np.array_equal(other.picture(seat), game.picture(seat))
        assert np.array_equal(game.determinize(seat, 1).picture(seat), game.picture(seat))
        changed += not np.array_equal(
            other.picture(1 - min(seat, 1)), game.picture(1 - min(seat, 1))
        )
    assert changed > 4  # the shuffles did move cards


@pytest.mark.parametrize(
    "changes",
    [
        {"hands": ["5C 6C * KD", *PLAYED["hands"][1:]]},
        {"hands": [PLAYED["hands"][0], "9H 9D", PLAYED["hands"][2]]},
        {"to_move": 2},
        {"opened": [True, False, False]},
        {"table": ["9D TD JD QD", *PLAYED["table"][1:]]},
        {"table": [PLAYED["table"][0], "7C 7D 7H", PLAYED["table"][2]]},
        {"table": PLAYED["table"][:2]},
        {"discards": "4H 2D 8S QC QD KS JS"},
        {"discards": "4H 2D 8S QC QD KC TS"},
        {"totals": [120, 98, 1]},
        {"rebuilds": 0},
        {"turn": 13},
    ],
    ids=lambda changes: " ".join(changes),
)
def test_what_a_seat_sees_changes_the_picture(changes):
    assert not np.array_equal(picture(), picture(**changes))


@pytest.mark.parametrize("runs", [("*5S 6S 7S *8S", "*4S *5S 6S 7S"), ("5S 6S *7S", "*5S 6S 7S")])
def test_the_card_that_a_joker_stands_for_is_shown(runs):
    first, second = (
        picture(hands=["KH", "9H 9D", "AS AD"], table=[run], discards="2C", stock="2H")
        for run in runs
    )
    assert not np.array_equal(first, second)


def test_a_joker_in_a_set_shows_the_rank():
    assert rank_in_set(("7C", "*", "*")) == "7"
    assert rank_in_set(("*6C", "7C", "8C")) == rank_in_set(("7C", "7D", "7H")) == ""
    faces = {face("*", 60, rank).tobytes() for rank in ("", *"A23456789TJQK")}
    assert len(faces) == 14


def test_a_joker_in_a_set_on_the_table_shows_the_rank_too():
    seen = picture(table=["7C 7D *"])
    joker = np.asarray(face("*", 60, "7").convert("RGB"))
    left, top = 22 + 2 * 24, 142 + 16 + 2
    inside = slice(8, 76), slice(8, 52)
    assert np.array_equal(seen[top : top + 84, left : left + 60][inside], joker[inside])


def test_every_card_has_a_face_of_its_own_and_the_corner_tells_it():
    cards = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    jokers = ["*", *("*" + card for card in cards)]
    width = 24
    faces = {face(card, width).tobytes() for card in (*cards, *jokers)} | {back(width).tobytes()}
    assert len(faces) == 52 + 53 + 1
    strips = {face(card, width).crop((0, 0, 10, 34)).tobytes() for card in cards}
    assert len(strips) == 52  # what a card that is half covered shows
    assert len(set(paint.INKS.values())) == 4


def test_all_hands_lie_open_once_the_deal_is_over():
    *_, game = greedy_game(seed=3)
    loser = 1 - game.result["winner"]
    seen = game.picture(1 - loser)
    hand = game.state["hand"][0][loser]
    card, other = int(np.flatnonzero(hand)[0]), int(np.flatnonzero(hand == 0)[0])
    hand[card], hand[other] = hand[card] - 1, 1
    assert not np.array_equal(game.picture(1 - loser), seen)


def test_a_meld_that_grew_in_this_turn_is_marked():
    game = game_of(to_move=0, phase="play", hands=["8D 6C * KH", *PLAYED["hands"][1:]])
    fresh = [meld.fresh for meld in view_of(game, 1).table]
    assert fresh == [False, False, False]
    game.play("add 8D @1")
    assert [meld.fresh for meld in view_of(game, 1).table] == [True, False, False]
    assert gold_among_the_melds(game) > 300
    game.play("discard KH")
    assert gold_among_the_melds(game) == 0


def gold_among_the_melds(game):
    return gold(game.picture(1)[150:440, 20:760])


def gold(part):
    return np.all(part == paint.GOLD, axis=2).sum()


def test_the_seat_to_move_has_a_golden_edge():
    panels = {0: np.s_[466:606, :180], 1: np.s_[:124, :480], 2: np.s_[:124, 480:]}
    for seat in range(3):
        seen = picture(to_move=seat, opened=[False] * 3)
        assert [gold(seen[panel]) > 500 for panel in panels.values()] == [
            other == seat for other in panels
        ]


def test_a_seat_that_is_not_at_the_table_and_a_wrong_width_are_refused():
    game = Game("british", seats=2, seed=0)
    with pytest.raises(ValueError, match="0 to 1"):
        game.picture(2)
    for width in (479, 1921, 500.5, "640", None):
        with pytest.raises(ValueError, match=f"number from 480 to 1920, got {width!r}"):
            game.picture(0, width=width)


@pytest.mark.parametrize("width", [480, 1000, 1920])
def test_a_picture_of_another_size_keeps_its_shape(width):
    assert Game("british", seats=5, seed=0).picture(0, width).shape == (
        round(width * 2 / 3),
        width,
        3,
    )


# Where things lie


def melds_of(lengths, seats):
    return [MeldView(k, ("5C",) * n, k % seats) for k, n in enumerate(lengths, 1)]


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_no_meld_lies_over_another_or_outside(scale):
    rng = np.random.default_rng(4)
    tables = [[3] * 36, [14, 13] * 4, [3], [14] * 7 + [3] * 3]
    tables += [rng.integers(3, 14, rng.integers(1, 14)).tolist() for _ in range(40)]
    width, height = round(732 * scale), round(304 * scale)
    for lengths in tables:
        table = melds_of(lengths, 4)
        look, places = lay_out(table, (1, 2, 3, 0), width, height, scale)
        assert sorted(place.meld.number for place in places) == list(range(1, len(table) + 1))
        assert [place.meld.owner for place in places] == sorted(
            (meld.owner for meld in table), key=(1, 2, 3, 0).index
        )
        taken = np.zeros((height, width), bool)
        for meld, x, y in places:
            box = slice(y, y + look.height), slice(x, x + look.width(meld))
            assert y + look.height <= height and x + look.width(meld) <= width
            assert not taken[box].any()
            taken[box] = True


def test_few_melds_are_large_and_every_seat_begins_a_line():
    look, places = lay_out(melds_of([3, 3, 4, 3], 2), (1, 0), 732, 304, 1.0)
    assert look.card == 60
    assert [(place.meld.owner, place.x == 0) for place in places] == [
        (1, True),
        (1, False),
        (0, True),
        (0, False),
    ]


def test_hands_and_tables_as_large_as_they_get_fit():
    pack = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    hands = [" ".join(pack[:26]), " ".join(pack[26:44]), " ".join(pack[:18]), "KS", "KS", ""]
    rules = {"rules": "double_deck", "eliminated": [False] * 5 + [True], "stock": "* *"}
    game = Game.from_position({"hands": hands, "discards": "7S", **rules})
    names = ["a name that is longer than anything that has room", *NAMES[1:]]
    open_hands = [tuple(hand.split()) for hand in game.result["hands"]]
    for hands in (None, open_hands):
        image = draw(view_of(game, 0), names, ["and so on" * 50] * 3, hands)
        assert image.size == (960, 640)
        page = np.asarray(image)
        assert (page[:, :6] == page[:, -6:]).all()  # nothing runs over the edges
    table = ["2C 3C 4C", "5C 6C 7C", "8C 9C TC", "2D 3D 4D", "5D 6D 7D", "8D 9D TD"]
    table = [*(table + [meld.replace("C", "H").replace("D", "S") for meld in table]) * 2]
    game = Game.from_position({"rules": "double_deck", "hands": ["* JC", "JD"], "table": table})
    assert game.picture(1).shape == SIZE


# Words


@pytest.mark.parametrize(
    ("name", "move", "card", "told"),
    [
        ("ann", "draw", "", "ann draws from the stock"),
        ("ann", "draw", "5C", "ann draws 5C"),
        ("you", "take", "KH", "you take KH from the pile"),
        ("ann", "meld 5C *6C 7C", "", "ann lays 5C *6C 7C"),
        ("you", "add AC @1 low", "", "you lay off AC on meld 1 low"),
        ("ann", "swap TH TS @3", "", "ann swaps TH and TS for a joker of meld 3"),
        ("ann", "discard *", "", "ann discards *"),
        ("ann", "silent", "", "ann stays silent"),
        ("ann", "announce", "", "ann announces the last cards"),
        ("ann", "buy in", "", "ann buys in"),
        ("you", "drop out", "", "you drop out"),
    ],
)
def test_moves_are_told_in_words(name, move, card, told):
    assert words.of_move(name, move, card) == told


def test_actions_of_a_seat_in_a_row_are_one_sentence():
    meld = actions.encode(game_of(to_move=0, phase="play"), "add * @2")[0]
    king, nine = (actions.discard_id(card) for card in (38, 34))
    played = [(0, actions.DRAW), (0, meld), (0, 1130), (0, king), (1, actions.TAKE), (1, nine)]
    assert words.of_actions(NAMES, played) == [
        "you draw from the stock, lay off a joker on a set of 7 on meld 1, discard KH",
        "b takes the top discard, discards 9H",
    ]


def test_without_moves_the_view_is_told():
    assert words.of_view(view_of(game_of(), 0), NAMES) == "b is to draw"
    assert words.of_view(view_of(game_of(to_move=0), 0), NAMES) == "you are to draw"
    game = game_of(to_move=0)
    game.play("take")
    assert words.of_view(view_of(game, 1), NAMES) == "you take TS from the pile"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "you win the deal"),
        ({"winner": 1}, "b wins the deal"),
        ({"is_kalooki": 1}, "you win the deal with a kalooki"),
        ({"winner": -1, "is_void": 1}, "nobody wins: the deal is void"),
        ({"winner": -1, "is_cut": 1}, "nobody wins: the deal was cut"),
        ({"match_winners": [1, 0, 0, 0, 0, 0]}, "you win the deal; you win the match"),
        ({"match_winners": [0, 1, 0, 0, 0, 0]}, "you win the deal; b wins the match"),
        ({"match_winners": [1, 1, 0, 0, 0, 0]}, "you win the deal; you and b win the match"),
    ],
)
def test_the_end_of_a_deal_and_of_a_match_is_told(changes, told):
    game = game_of()
    for key, value in {"deal_over": 1, "winner": 0, **changes}.items():
        game.state[key][0] = value
    assert words.of_view(view_of(game, 0), NAMES) == told


def test_where_not_all_has_room_the_last_sentences_stay():
    view, last = view_of(game_of(), 0), "b discards 9H"
    short = draw(view, NAMES, [last])
    assert draw(view, NAMES, ["c discards KS and 7D " * 6, last]).tobytes() == short.tobytes()
    assert draw(view, NAMES, ["c discards KS", last]).tobytes() != short.tobytes()
    assert draw(view, NAMES, ["c discards KS " * 20]).size == short.size


# Environments


def test_the_aec_environment_shows_the_seat_to_move_and_tells_the_moves():
    env = kalooki_v0.env(seats=3, render_mode="rgb_array")
    env.reset(seed=2)
    game = env.unwrapped.game
    assert np.array_equal(env.render(), game.picture(game.to_move))
    played = []
    while game.to_move != 2:
        mask = env.last()[0]["action_mask"]
        played.append((game.to_move, int(np.flatnonzero(mask)[-1])))
        env.step(played[-1][1])
    assert len(played) > 2
    expected = render_picture(game, 2, played)
    assert not np.array_equal(expected, game.picture(2))
    assert np.array_equal(env.render(), expected)
    assert np.array_equal(copy.deepcopy(env).render(), expected)


def test_the_single_environment_shows_the_learner_and_frames_collect():
    env = gymnasium.make("Kalooki-v0", seats=2, opponents="greedy", render_mode="rgb_array")
    env = gymnasium.wrappers.RenderCollection(env)
    env.reset(seed=5)
    over, rng = False, np.random.default_rng(0)
    while not over:
        mask = env.get_wrapper_attr("action_masks")()
        *_, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(mask))))
        over = terminated or truncated
    frames = env.render()
    assert len(frames) > 10 and {frame.shape for frame in frames} == {SIZE}
    assert sum(not np.array_equal(*pair) for pair in itertools.pairwise(frames)) == len(frames) - 1
    assert env.metadata["render_fps"] == 2 and "rgb_array" in env.metadata["render_modes"]


def test_the_vector_environment_shows_every_row():
    envs = KalookiVectorEnv(3, seats=3, render_mode="rgb_array")
    _, infos = envs.reset(seed=0)
    frames = envs.render()
    assert isinstance(frames, tuple)
    for row, frame in enumerate(frames):
        assert np.array_equal(frame, envs.game(row).picture(int(infos["seat"][row])))
    assert "rgb_array" in envs.metadata["render_modes"]


def test_who_wants_no_pictures_loads_nothing_for_them():
    code = (
        "import sys, kalooki_env.kalooki_v0, kalooki_env.single, kalooki_env.cli\n"
        "kalooki_env.cli.build_parser()\n"
        "print([name for name in sys.modules if 'PIL' in name or 'render.picture' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# GIFs


def frames_of(data):
    """Return all frames of a GIF as RGB, and how long each is shown."""
    image = Image.open(io.BytesIO(data))
    frames, waits = [], []
    for k in range(image.n_frames):
        image.seek(k)
        frames.append(np.asarray(image.convert("RGB")).astype(int))
        waits.append(image.info["duration"])
    return frames, waits


def test_a_gif_has_every_frame_with_the_colours_of_the_pictures():
    pictures = [
        draw(view_of(game, 0), NAMES) for game in itertools.islice(greedy_game(seed=1), 0, 40, 5)
    ]
    pictures.insert(1, pictures[0])  # nothing changes
    gif = Gif(pictures)
    for image in pictures:
        gif.add(image, 250)
    frames, waits = frames_of(gif.to_bytes())
    assert len(frames) == gif.frames == len(pictures)
    assert waits == [250] * len(frames)
    for frame, image in zip(frames, pictures, strict=True):
        exact = np.asarray(image).astype(int)
        assert np.abs(frame - exact).mean() < 0.3
        painted = np.isin(exact @ CODE, np.array(paint.ALL) @ CODE)
        assert painted.mean() > 0.8
        assert (frame[painted] == exact[painted]).all()  # no noise on the felt or on the cards
    assert len(gif.to_bytes()) < 600_000


def test_a_gif_takes_frames_of_one_size_only():
    gif = Gif([Image.new("RGB", (30, 20))])
    with pytest.raises(ValueError, match=r"\(30, 20\), got \(20, 30\)"):
        gif.add(Image.new("RGB", (20, 30)), 100)
