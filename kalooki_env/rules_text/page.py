"""The page docs/rules.md: all presets, their rules, the choices made, every knob."""

from collections.abc import Iterable, Sequence

from kalooki_env.rules import PRESETS, Rules
from kalooki_env.rules_text.catalogue import (
    ABOUT,
    HEADINGS,
    differences,
    knob_meanings,
    knob_range,
    shown,
    summaries,
)
from kalooki_env.rules_text.choices import CHOICES, SOURCES, Choice
from kalooki_env.rules_text.explain import explain
from kalooki_env.rules_text.sections import Section, to_markdown

_HEAD = """\
# The rules

This page is written by `python -m kalooki_env.rules_text > docs/rules.md` from the values of
`kalooki_env.Rules`, as `kalooki rules PRESET` prints them.
"""

_GAME = """\
Kalooki (also Kaluki, Kalookie, Caloochi) is a rummy for two to six players, most often with two
packs and a few jokers. You draw a card, may lay sets and runs on the table, and discard a card. The
first melds of a hand have to reach a sum of points, or be what a contract asks for; only then may
you add cards to the melds on the table and swap jokers out of them. Who discards the last card of
a hand wins the deal.

The game is played in many ways, and the texts about it overlap and contradict each other. Nine of
these ways are presets here, and whatever differs between them is a knob that anybody can turn:
`Rules.preset("british", opening_points=51)` in Python shows as
`kalooki rules british --set opening_points=51` at the prompt.

Some words have one meaning throughout. A *seat* is a place at the table, a *player* who sits there,
a *hand* the cards held. A *deal* goes from shuffling to going out, a *match* from the first deal
until somebody has won, a *turn* from a draw to a discard. A *meld* is a set or a run; a player is
*open* once the first melds of the deal are laid. To *lay off* is to add a card to a meld on the
table, to *swap* is to give the natural card that a joker stands for and get the joker.
"""


def page() -> str:
    """Return docs/rules.md."""
    parts = (
        _HEAD,
        "## The game\n\n" + _GAME,
        _presets(),
        _common(),
        _each_preset(),
        _choices(),
        _knobs(),
    )
    return "\n".join(parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _presets() -> str:
    rows = [(f"[{s.name}](#{s.name})", *s[1:]) for s in summaries()]
    knobs = [(f"`{name}`", *map(_short, row)) for name, row in differences().items()]
    return (
        "## The nine presets\n\n"
        + table(HEADINGS, rows)
        + "\nThe knobs in which they differ (null is no limit, or none; the "
        "[last section](#every-knob) says what each means):\n\n" + table(["", *PRESETS], knobs)
    )


def _short(value: str) -> str:
    """Return a value for a narrow column."""
    return value.replace('"', "").strip("{}[]")


def _common() -> str:
    every = [explain(rules) for rules in PRESETS.values()]
    told = [{(s.title, p) for s in sections for p in s.paragraphs} for sections in every]
    shared = set.intersection(*told)
    sections = [
        Section(s.title, tuple(p for p in s.paragraphs if (s.title, p) in shared)) for s in every[0]
    ]
    return "## Rules common to all nine\n\n" + to_markdown(
        [s for s in sections if s.paragraphs], level=3
    )


def _each_preset() -> str:
    blocks = [
        "## Each preset whole\n\nEvery preset with all its rules, the common ones included, so that a "
        "reader of one needs no other. `kalooki rules PRESET` prints the same.\n"
    ]
    for name, rules in PRESETS.items():
        text = to_markdown(explain(rules), level=4)
        blocks.append(
            f"### {name}\n\n{ABOUT[name]}.\n\n<details><summary>The rules of {name}</summary>\n\n"
            f"{text}\n</details>\n"
        )
    return "\n".join(blocks)


def _choices() -> str:
    sources = "".join(
        f"* {s.title}, {s.kind} ({s.called}): {', '.join(s.presets)}.\n" for s in SOURCES
    )
    return (
        "## Where the texts disagree or are silent\n\n"
        "The presets follow five texts; nothing of them is copied here beyond a few quoted "
        f"words:\n\n{sources}\n"
        "They leave gaps and contradict each other and themselves. These are the questions, and what "
        "is played; where another reading is a knob away, it stands below as `kalooki rules` takes it.\n\n"
        + "\n".join(map(_choice, CHOICES))
    )


def _choice(choice: Choice) -> str:
    text = f"### {choice.question}\n\n*The texts.* {choice.texts}\n\n*Played.* {choice.played}\n"
    if choice.others:
        others = ", ".join(f"`{setting(preset, *knobs)}`" for preset, *knobs in choice.others)
        text += f"\n*Otherwise.* {others}\n"
    return text


def setting(preset: str, *knobs: str) -> str:
    """Return the words after `kalooki rules` that show a preset with some knobs changed."""
    words = [f"'{knob}'" if '"' in knob else knob for knob in knobs]
    return " ".join([preset, *(f"--set {word}" for word in words)])


def _knobs() -> str:
    british: Rules = PRESETS["british"]
    rows = [
        (f"`{name}`", knob_range(name), shown(british.to_dict()[name]), meaning)
        for name, meaning in knob_meanings().items()
    ]
    return (
        "## Every knob\n\n`Rules` has these fields; null (in Python `None`) is no limit, or none. "
        "`kalooki rules PRESET --values` prints all values of a preset.\n\n"
        + table(("knob", "values", "british", "meaning"), rows)
    )
