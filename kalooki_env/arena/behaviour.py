"""How an agent plays: when it opens, what it takes, what it keeps back, where its jokers go."""

from dataclasses import dataclass

import numpy as np

from kalooki_env.arena.compiled import COUNTS


@dataclass(frozen=True)
class Behaviour:
    """Rates and means over all seats and deals of one agent; None where there was no occasion.

    Turns are the agent's own, counted from 1. Shares are of what could have happened under the rules
    of the deal.
    """

    agent: str
    deals: int
    """Deals, one for every seat it held."""
    turns_per_deal: float
    never_opened: float
    """Share of its deals."""
    opening_turn: float | None
    """Mean turn of the opening, where it opened."""
    opening_points: float | None
    """Mean points of the melds that opened."""
    discards_taken: float | None
    """Share of the draws at which it might take the discard."""
    openings_kept: float | None
    """Share of the turns ended closed in which it could have opened."""
    melds_kept: float | None
    """Share of the turns ended open in which it could still have laid a meld."""
    lay_offs_kept: float | None
    """Share of the turns ended open in which it could still have laid off a card."""
    melds_per_deal: float
    lay_offs_per_deal: float
    swaps_per_deal: float
    jokers_per_deal: float
    """Jokers that it was dealt, drew or took; not those that a swap released."""
    jokers_laid: float | None
    """Share of these that it laid."""
    jokers_discarded: float | None
    """Share of these that it discarded; the rest was in its hand at the end."""
    joker_turn: float | None
    """Mean turn in which it laid them."""
    kalookis: float | None
    """Share of its wins."""
    penalty_lost: float | None
    """Mean penalty of the deals that another seat won."""
    joker_penalty_lost: float | None
    """The part of it that is for jokers."""
    cards_lost: float | None
    """Mean cards in its hand then."""
    lost_closed: float | None
    """Share of these deals that it had not opened in."""

    @classmethod
    def from_counts(cls, agent: str, totals: np.ndarray) -> "Behaviour":
        """Make rates of what was counted: int64[counts], see `compiled.COUNTS`."""
        n = dict(zip(COUNTS, totals.tolist(), strict=True))

        def share(what: str, of: str) -> float | None:
            return n[what] / n[of] if n[of] else None

        return cls(
            agent=agent,
            deals=n["deals"],
            turns_per_deal=n["turns"] / n["deals"],
            never_opened=1 - n["openings"] / n["deals"],
            opening_turn=share("opening_turn", "openings"),
            opening_points=share("opening_points", "openings"),
            discards_taken=share("took", "could_take"),
            openings_kept=share("openings_kept", "closed_turns"),
            melds_kept=share("melds_kept", "open_turns"),
            lay_offs_kept=share("layoffs_kept", "open_turns"),
            melds_per_deal=n["melds"] / n["deals"],
            lay_offs_per_deal=n["layoffs"] / n["deals"],
            swaps_per_deal=n["swaps"] / n["deals"],
            jokers_per_deal=n["jokers_got"] / n["deals"],
            jokers_laid=share("jokers_laid", "jokers_got"),
            jokers_discarded=share("jokers_discarded", "jokers_got"),
            joker_turn=share("jokers_laid_turn", "jokers_laid"),
            kalookis=share("kalookis", "wins"),
            penalty_lost=share("penalty", "losses"),
            joker_penalty_lost=share("joker_penalty", "losses"),
            cards_lost=share("cards_left", "losses"),
            lost_closed=share("lost_closed", "losses"),
        )
