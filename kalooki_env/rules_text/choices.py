"""Where the source texts disagree or are silent, what is played, and how to play another reading."""

from typing import NamedTuple

from kalooki_env.rules import PRESETS
from kalooki_env.rules_text.cards import hands
from kalooki_env.rules_text.match import RING_WHOLE
from kalooki_env.rules_text.variant import Variant

BRITISH, EUROPEAN, AMERICAN = (PRESETS[k] for k in ("british", "european", "north_american"))
FORTY, DOUBLE, CONTRACT = (PRESETS[k] for k in ("kalooki40", "double_deck", "contract"))
HUNT, RING, TOURNAMENT = (PRESETS[k] for k in ("hunt51", "ring51", "tournament51"))


class Source(NamedTuple):
    """One of the texts that the presets follow."""

    title: str
    kind: str
    called: str
    presets: tuple[str, ...]


class Choice(NamedTuple):
    """A question, what the texts say, what is played here, and the knobs of another reading.

    `others` are a preset and settings in the form of `kalooki rules PRESET --set ...`.
    """

    question: str
    texts: str
    played: str
    others: tuple[tuple[str, ...], ...] = ()


SOURCES = (
    Source(
        '"Kalooki in Britain, card game rules"',
        "a page of a website about rummy games",
        "the British text",
        ("british",),
    ),
    Source(
        '"European Kalooki Gameplay" and "North American Kalooki Gameplay"',
        "an article in two parts, of which the second only lists what is different",
        "the European and the North American part",
        ("european", "north_american"),
    ),
    Source(
        '"Official Kaluki Rummy (Kalookie) Rules"',
        "a web page that also names the game Kalooki 40 and ends with variations",
        "the Kaluki text",
        ("kalooki40", "double_deck", "contract"),
    ),
    Source(
        '"Kalooki Rules"',
        "an online card room's introduction, in which going out at once is a Hunt",
        "the Hunt text",
        ("hunt51",),
    ),
    Source(
        '"Kalooki 51 - Basic Rules", under "Rummy Games - Basic Rules"',
        "the rules of an online card room with ring games and tournaments",
        "the Kalooki 51 text",
        ("ring51", "tournament51"),
    ),
)

_CARDS = (
    Choice(
        "How many packs?",
        "The British text asks for one standard pack with two jokers, and the Kaluki text calls two "
        "packs with four jokers a variation, so that it seems to mean one. The article and the "
        "Kalooki 51 text use two; the Hunt text does not say.",
        f"Two packs everywhere, since one would not even serve {BRITISH.max_seats} players with "
        f"{BRITISH.hand_size} cards each, and {BRITISH.jokers} jokers where a text names no other "
        "number.",
        (("british", "decks=1"), ("kalooki40", "decks=1")),
    ),
    Choice(
        "How many players?",
        "Two to five in the British text, two to four in the Kalooki 51 text. The article speaks of "
        "five in passing; the Hunt and Kaluki texts say nothing.",
        f"As they say, and else at most {EUROPEAN.max_seats} in european, kalooki40 and contract, "
        f"{AMERICAN.max_seats} in north_american, {DOUBLE.max_seats} in double_deck, "
        f"{HUNT.max_seats} in hunt51.",
        (("hunt51", "max_seats=6"),),
    ),
    Choice(
        "Who deals first, and who sits where?",
        "The British text and the article draw cards for the first deal and the seats, and have the "
        "pack cut; in the former the first dealer chooses a seat.",
        "Seats are given and the first dealer is random; drawing, choosing and cutting are not "
        "played.",
    ),
    Choice(
        "How many cards are dealt?",
        "The article begins with 13 to 15 and its North American part says 11 to 15 depending on the "
        "number of players, without saying which.",
        f"{EUROPEAN.hand_size} in european. In north_american e{hands(Variant(AMERICAN))[1:]}",
        (("european", "hand_size=15"), ("north_american", "hand_size=13")),
    ),
    Choice(
        "What are the cards worth?",
        "The British and Kalooki 51 texts have tables that did not come with them, only remarks on "
        "the joker, and the European part points to another page. The Hunt and Kaluki texts give "
        "the ace 11, the latter also 1 when low, and the court cards 10.",
        f"2 to 10 their face value, court cards 10, an ace {BRITISH.ace_points}, except in "
        f"north_american, which has its own values. A joker in hand costs {EUROPEAN.joker_penalty} in "
        "european too.",
        (("european", "joker_penalty=25"),),
    ),
)
_MELDS = (
    Choice(
        "May the ace stand low?",
        "No in the British text and the European part, yes in the North American part and the "
        "Kaluki text. The Hunt and Kalooki 51 texts are silent.",
        f"At either end in the Kalooki 51 presets too, where a low ace counts {HUNT.ace_low_points} "
        "towards the opening.",
        (("hunt51", "ace=high"), ("british", "ace=both")),
    ),
    Choice(
        "Must the suits of a set differ?",
        "The Kaluki text does not say. The Hunt and Kalooki 51 texts say it only of a fourth card "
        "and of sets with a joker.",
        "Yes, in every preset.",
    ),
    Choice(
        "How many jokers may a meld hold?",
        "The Kaluki text forbids melds of jokers alone. None says more.",
        "Any number, side by side too, with at least one natural card.",
    ),
    Choice(
        "How long may a run be?",
        "No text says.",
        "Laid from the hand at most 13 cards. Where the ace stands at either end the other ace can "
        "be laid off as a 14th.",
    ),
)
_TURN = (
    Choice(
        "May a player who is not open take the discard?",
        "The British text allows it to open with that card. The European part does not allow it "
        "after the first turn, and the North American part, which only lists differences, would "
        "inherit that. The others let everybody take it.",
        "As the texts say, but in north_american as in the British text.",
        (("north_american", "discard_before_opening=never"),),
    ),
    Choice(
        "May the card that was just taken be discarded again?",
        "No text says.",
        "No. It stays in the hand or is laid; an equal card that was held before may be discarded.",
    ),
    Choice(
        "May a joker be discarded?",
        "No text says.",
        "Yes, and the next player may take it; only a joker that a swap released is laid.",
    ),
    Choice(
        "How many points open a hand?",
        f"The British text and the European part say {BRITISH.opening_points}, the North American "
        f"part and the Hunt text {AMERICAN.opening_points}. The Kaluki text and the Kalooki 51 text "
        "have a number only in the name of the game; the former mentions an opening, of 51, as a "
        "variation.",
        f"{FORTY.opening_points} and {RING.opening_points}, as these names say.",
        (("kalooki40", "opening_points=51"), ("kalooki40", "opening_points=0")),
    ),
    Choice(
        "How many melds may be laid in a turn?",
        'One, says the British text, although it asks for an opening that one meld seldom makes. "A '
        'new set or run" in the Hunt text sounds the same; the others speak of several.',
        "Any number, and several may make up the opening; only in british one in each turn after "
        "the opening turn.",
        (("british", "melds_per_turn=null"), ("hunt51", "melds_per_turn=1")),
    ),
    Choice(
        "Six cards in a row: one run or two?",
        "The British text lets the player choose, and yet allows one meld a turn.",
        "The player may choose: runs that touch each other and are laid in one turn count as one "
        "meld.",
    ),
    Choice(
        "How many cards may be laid off?",
        'At most two at the same end of a run in one turn in the British text, "up to 2 cards in one '
        'turn" in the European part. The others name no limit.',
        f"At most {EUROPEAN.layoff_limit} at the same end of a run in one turn in british, european "
        "and north_american, no limit elsewhere.",
        (
            ("european", "layoff_scope=turn"),
            ("european", "layoff_scope=meld"),
            ("european", "layoff_limit=null"),
        ),
    ),
    Choice(
        "What releases a joker from a set?",
        'The British text speaks of "one of the missing suits", against its own example. The Hunt '
        "and Kalooki 51 texts ask for both, and for any two where the set has two jokers. The "
        "Kaluki text has no swaps, the article does not say how they are done.",
        "Both missing suits together, or any two where the set has two jokers, in every preset.",
    ),
    Choice(
        "Who may swap a joker?",
        "Who has opened, say the British text and the European part. The others are silent.",
        "Only a player who is open.",
    ),
    Choice(
        "What if a move would leave no way to end the turn?",
        "No text says.",
        "Such a move is not allowed. It may be a first meld whose hand cannot reach the opening, a "
        "swap whose joker cannot be laid, or the last card.",
    ),
)
_DEAL = (
    Choice(
        "Does going out need a discard?",
        "The British text asks for it in one place and makes it look optional in another. The "
        "others ask for it.",
        "Yes, always.",
    ),
    Choice(
        "What is a kalooki?",
        'All cards laid "at once", or "in one lay down"; "without using any builders", says the '
        "Kalooki 51 text.",
        "Nothing laid before the turn, and all cards but the discard laid as new melds in it, with "
        "no lay-off and no swap. The opening is asked for all the same.",
    ),
    Choice(
        "What does a kalooki bring?",
        'The British text promises a "larger point bonus", but names only stakes, and the European '
        "part has a stake for it. Nothing in the North American part; 25 more penalty points for "
        "each loser in the Hunt and Kalooki 51 texts. The Kaluki text has no kalooki.",
        f"In british and european each loser pays {BRITISH.kalooki} instead of {BRITISH.call_up}; "
        "elsewhere as the texts say.",
        (("british", "kalooki_penalty=25"),),
    ),
    Choice(
        "Who announces the last cards?",
        "Who forgets may not go out in the next turn in the British text and the article. The "
        "others are silent.",
        "In british, european and north_american the announcement is made for the player, and "
        "nobody is barred; another setting makes it a decision. The others do without.",
        (("british", "announce=manual"), ("hunt51", "announce=manual")),
    ),
    Choice(
        "When is an empty stock rebuilt?",
        'The European part shuffles "immediately". The British, Hunt and Kalooki 51 texts let the '
        "discard of the player who drew the last card start the new pile.",
        "After that discard.",
    ),
    Choice(
        "How often is it rebuilt?",
        "Once in the British text and the article, which then call the deal void. The others set "
        "no limit.",
        "As the texts say, and once in contract. Where there is no limit two stubborn players can "
        "go on for ever; programs may therefore cut a deal, which is no rule of the game.",
        (("kalooki40", "max_rebuilds=1"), ("british", "max_rebuilds=0")),
    ),
)
_MATCH = (
    Choice(
        f"Is a total of exactly {BRITISH.out_above} out?",
        'The British text and the article speak of reaching 150 as well as of "more than 150". The '
        "level of a buy-in is the highest total below 150 in the former, of 150 or less in the "
        "latter.",
        f"Only a total above {BRITISH.out_above} is out. {BRITISH.out_above} itself stays in and may "
        "be the level of a buy-in.",
        (("british", f"out_above={(BRITISH.out_above or 0) - 1}"),),
    ),
    Choice(
        "How high are the stakes?",
        "The British text leaves them open. The European part suggests one scheme among others.",
        f"That scheme: {BRITISH.initial} at the start, {BRITISH.call_up} for going out, "
        f"{BRITISH.kalooki} for a kalooki, {BRITISH.buy_in} for a buy-in.",
        (("british", "initial=10", "call_up=2", "kalooki=4", "buy_in=10"),),
    ),
    Choice(
        "Who wins when a score is reached?",
        'The Kaluki text makes it the aim to be "the first player to reach" a score, and later lets '
        "the lowest score win once somebody has reached it, or after a number of deals.",
        f"Somebody reaching {FORTY.target} ends the match and the lowest total wins; with a number of "
        "deals these end it instead.",
        (("kalooki40", "deals=10"), ("kalooki40", "target=200")),
    ),
    Choice(
        "When does a winner collect in North America?",
        'The North American part speaks of the winner "at the end of the game".',
        "After each deal. A match is "
        f"{AMERICAN.deals} deal unless more are agreed on; then the highest total wins.",
        (("north_american", "deals=5"),),
    ),
    Choice(
        "How long is a match of the Hunt text?",
        "It does not say.",
        f"{HUNT.deals} deal unless more are agreed on; the lowest total wins.",
        (("hunt51", "deals=5"),),
    ),
    Choice(
        "How is the pool of a ring game shared?",
        'The Kalooki 51 text gives the winner "at least 75%" and the other 25 % to the others in '
        f"proportion, as long as they are less than {RING_WHOLE} points behind. It names no entry "
        "fee.",
        f"Each loser has an equal part of that quarter and gets ({RING_WHOLE} - penalty) % of it, nothing "
        f"from {RING_WHOLE} on; the winner gets the rest, and so at least 75 %. The fee is {RING.initial}. "
        "The literal reading, with the whole quarter for the losers, is the other setting.",
        (("ring51", "ring_payout=split25"),),
    ),
    Choice(
        "How is a tournament won?",
        "The Kalooki 51 text names two ways, by points and by elimination, and no numbers.",
        f"By elimination above {TOURNAMENT.out_above} for a fee of {TOURNAMENT.initial}; by points, in "
        f"the other setting, the first to reach {TOURNAMENT.target} wins.",
        (("tournament51", "match=points"),),
    ),
    Choice(
        "What if totals are equal?",
        "No text says.",
        "Equal totals share the win. A pool is split in whole units, and what cannot be split goes "
        "to the one of them in the lowest seat.",
    ),
    Choice(
        "What is Contract Kaluki?",
        "The Kaluki text has one sentence on it: there are contracts of sets and runs, another in "
        "each deal.",
        f"All of it is our choice: the {len(CONTRACT.contracts or ())} contracts and their order, "
        "runs of at least four, sets of different ranks and runs of different suits, exactly these "
        "melds in one turn, no new melds after it, "
        f"{CONTRACT.jokers} jokers, the lowest total after the last contract.",
        (("contract", 'contracts=["33","34","44"]'),),
    ),
    Choice(
        "How many cards for the long contracts?",
        f"Nothing is said, and {CONTRACT.hand_size} cards do not suffice for all of them.",
        "At least one card more than the contract needs, so that something is left to lay off: up "
        f"to {CONTRACT.hand_size_for(2, len(CONTRACT.contracts or ()))}.",
        (("contract", "hand_size=15"),),
    ),
)
CHOICES = _CARDS + _MELDS + _TURN + _DEAL + _MATCH
"""Every choice, in the order of the rules."""
