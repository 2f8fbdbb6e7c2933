"""How fast this machine plays: a row for each way of using the package.

Every row plays British deals for two seats, uniformly at random, and is a rate per CPU second of
one thread; `rows` says how it is taken. A decision is one action of the seat to move. The answer to
a question belongs to the decision that asked it, and is played but not counted. Forced moves count,
except in rows marked "forced moves inside", where the engine plays them unseen.
"""

from collections.abc import Callable, Iterator

from kalooki_env.bench.rows import REPEATS, SECONDS, Part, Row

__all__ = ["Part", "Row", "parts", "run"]

Watch = Callable[[int, int, str], None]


def parts(only: str = "") -> list[Part]:
    """Return what is measured, in order: where the name of a row holds `only`."""
    from kalooki_env.bench import batches, engine, games, hands, processes, training

    themes = (engine, batches, games, hands, processes, training)
    return [
        part
        for theme in themes
        for part in theme.parts()
        if any(only.casefold() in name.casefold() for name in part.names)
    ]


def run(
    only: str = "",
    repeats: int = REPEATS,
    seconds: float = SECONDS,
    watch: Watch | None = None,
) -> Iterator[Row]:
    """Measure row after row; each is warmed up (and compiled) before it is timed.

    Args:
        only: measure rows whose name holds this text, and those measured with them.
        repeats: times each row is measured.
        seconds: least CPU time of one repeat.
        watch: called before each part with the rows done, all rows and the part's first name.
    """
    chosen = parts(only)
    total = sum(len(part.names) for part in chosen)
    done = 0
    for part in chosen:
        if watch is not None:
            watch(done, total, part.names[0])
        yield from part.take(repeats, seconds)
        done += len(part.names)
