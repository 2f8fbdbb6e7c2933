"""Move texts and action ids: one text may take several ids, and which questions are asked depends
on the game."""

from typing import TYPE_CHECKING

from kalooki_env import actions, notation
from kalooki_env.engine import layout as L
from kalooki_env.notation import Move

if TYPE_CHECKING:
    from kalooki_env.game import Game

_PLAIN = {
    notation.DRAW: actions.DRAW,
    notation.TAKE: actions.TAKE,
    notation.ANNOUNCE: actions.ANNOUNCE,
    notation.SILENT: actions.SILENT,
    notation.BUY_IN: actions.BUY_IN,
    notation.DROP_OUT: actions.DROP_OUT,
}


def apply_text_move(game: "Game", move: Move, ids: list[int] | None = None) -> bool:
    """Apply a whole move to `game` and return True, or return False if it is not legal.

    The ids that were needed are appended to `ids`. On False the game may be left half-way: give a
    clone. Raises NotationError for a joker that is written in the wrong way for its table meld, or
    an ace that fits both ends of a run and does not say which.
    """
    step = _Stepper(game, [] if ids is None else ids)
    if move.kind in _PLAIN:
        return step(_PLAIN[move.kind])
    if move.kind == notation.DISCARD:
        return step(actions.discard_id(move.card))
    if move.kind == notation.MELD:
        return _apply_meld(step, move)
    return _apply_on_table(step, move)


class _Stepper:
    """Plays ids on a game, the first ones only if they were not given before (a half-made move)."""

    def __init__(self, game: "Game", ids: list[int]) -> None:
        self.game, self.ids = game, ids
        self.given = list(game.half)

    def __call__(self, action: int) -> bool:
        if self.given:
            return self.given.pop(0) == action
        if not self.game.is_legal(action):
            return False
        self.game._apply(action)
        self.ids.append(action)
        return True


def _apply_meld(step: _Stepper, move: Move) -> bool:
    meld, game = move.meld, step.game
    if meld is None or meld.problem is not None or game.to_move is None:
        return False
    if meld.kind == L.SET:
        return step(actions.set_id(meld.rank, meld.mask, meld.jokers))
    hand = game.state["hand"][0][game.to_move]
    places = range(meld.low, meld.high + 1)
    missing = {p for p in places if hand[meld.suit * 13 + (p - 1) % 13] == 0}
    wanted = [p for p in places if meld.jokers >> p & 1]
    if not missing <= set(wanted) or not step(actions.run_id(meld.suit, meld.low, meld.high)):
        return False
    spare = [p for p in wanted if p not in missing]
    while game.question == "place":
        so_far = int(game.state["begun_jokers"][0])
        chosen = [p for p in places if so_far >> p & 1 and p not in missing]
        if chosen != spare[: len(chosen)]:
            return False
        step.given = []
        after = spare[len(chosen) :]
        if not step(actions.spare_id(after[0]) if after else actions.NO_SPARE):
            return False
    # A spare joker that had only one place to go is laid there without a question.
    return int(game.state["melds"]["jokers"][0][game.state["n_melds"][0] - 1]) == meld.jokers


def _apply_on_table(step: _Stepper, move: Move) -> bool:
    game = step.game
    target = (move.target or 0) - 1
    state = game.state[0]
    if not 0 <= target < state["n_melds"]:
        return False
    action = _table_action(game, move, target)
    if action is None or game.phase != "play":
        return False
    before = _meld_row(state, target)
    if not step(action):
        return False
    if game.question == "meld":
        return step(actions.table_id(target))
    return _meld_row(state, target) != before


def _meld_row(state: "np.void", m: int) -> tuple[int, int, int]:  # noqa: F821
    return (
        int(state["melds"]["low"][m]),
        int(state["melds"]["high"][m]),
        int(state["melds"]["jokers"][m]),
    )


def _table_action(game: "Game", move: Move, target: int) -> int | None:
    """Return the first id of a lay-off or swap on table meld `target`, or None if no id could be
    it."""
    state = game.state[0]
    kind, key = int(state["melds"]["kind"][target]), int(state["melds"]["key"][target])
    notation.check_target(move, kind)
    card = move.cards[0].card
    if kind == L.RUN:
        if card == L.JOKER or card // 13 != key or len(move.cards) > 1:
            return None
        places = run_places(game, move, target)
        if len(places) != 1:
            return None
        place = places[0]
        if move.kind == notation.SWAP:
            return actions.swap_run_id(key, place)
        end = int(place > int(state["melds"]["high"][target]))
        return actions.layoff_run_id(key, end, place, int(move.cards[0].joker))
    if move.kind == notation.SWAP:
        if len(move.cards) != 2 or any(c.card % 13 != key for c in move.cards):
            return None
        first, second = sorted(c.card // 13 for c in move.cards)
        return None if first == second else actions.swap_set_id(key, first, second)
    if move.cards[0].joker:
        return actions.layoff_set_joker_id(key)
    return actions.layoff_set_id(card) if card % 13 == key else None


def run_places(game: "Game", move: Move, target: int) -> list[int]:
    """Return the positions of table run `target` that an added or swapped card of its suit can
    mean.

    Raises NotationError for an ace that fits both ends and does not say which.
    """
    state = game.state[0]
    low, high = int(state["melds"]["low"][target]), int(state["melds"]["high"][target])
    rank = move.cards[0].card % 13
    positions = [p for p in range(game.rules.low_position, 15) if (p - 1) % 13 == rank]
    if move.kind == notation.SWAP:
        fits = [
            p
            for p in positions
            if low <= p <= high and int(state["melds"]["jokers"][target]) >> p & 1
        ]
    else:
        fits = [p for p in positions if p in (low - 1, high + 1)]
    if move.end is not None and rank == 0:
        fits = [p for p in fits if p == (1 if move.end == notation.LOW else 14)]
    elif move.end is not None:
        return []
    if len(fits) > 1:
        raise notation.NotationError(
            f'"{notation.move_text(move)}": expected "low" or "high" after it, the ace fits both ends'
        )
    return fits


def move_of_ids(before: "Game", ids: tuple[int, ...], after: "Game") -> str:
    """Return the text of the move that `ids` carried out from `before` to `after`."""
    first = ids[0]
    kind = actions.KIND[first]
    for word, action in _PLAIN.items():
        if first == action:
            return word
    if kind == actions.KIND_DISCARD:
        return notation.move_text(
            notation.parse_move(f"discard {_card_text(first - actions.DISCARD)}")
        )
    state, new = before.state[0], after.state[0]
    if kind in (actions.KIND_RUN, actions.KIND_SET):
        return f"meld {_meld_text(new, int(new['n_melds']) - 1)}"
    n = int(state["n_melds"])
    target = next(m for m in range(n) if _meld_row(state, m) != _meld_row(new, m))
    return _table_text(before, first, target)


def _table_text(game: "Game", first: int, target: int) -> str:
    state = game.state[0]
    kind, key = actions.KIND[first], int(state["melds"]["key"][target])
    number = target + 1
    if kind == actions.KIND_LAYOFF_SET:
        return f"add {_card_text(min(first - actions.LAYOFF_SET, L.JOKER))} @{number}"
    if kind == actions.KIND_SWAP_SET:
        suits = sorted((int(actions.A_PAIR_LOW[first]), int(actions.A_PAIR_HIGH[first])))
        return "swap " + " ".join(_card_text(s * 13 + key) for s in suits) + f" @{number}"
    place = int(actions.A_POSITION[first])
    card = _card_text(key * 13 + (place - 1) % 13)
    word = "swap" if kind == actions.KIND_SWAP_RUN else "add"
    joker = "*" if word == "add" and actions.A_JOKERS[first] > 0 else ""
    text = f"{word} {joker}{card} @{number}"
    move = notation.parse_move(text)
    try:
        run_places(game, move, target)
    except notation.NotationError:
        text += " low" if place == 1 else " high"
    return text


def _card_text(card: int) -> str:
    from kalooki_env.cards import card_text

    return card_text(int(card))


def _meld_text(state: "np.void", m: int) -> str:  # noqa: F821
    return notation.table_meld_text(
        *(int(state["melds"][m][f]) for f in ("kind", "key", "low", "high", "jokers"))
    )


def table_texts(game: "Game") -> list[str]:
    """Return the texts of the table melds in the order they were laid."""
    return [_meld_text(game.state[0], m) for m in range(int(game.state["n_melds"][0]))]
