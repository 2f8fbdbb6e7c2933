"""Numbers and lists in English."""

from collections.abc import Sequence


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listing(items: Sequence[str], last: str = "and") -> str:
    """Return items as `a, b and c`."""
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def span(numbers: Sequence[int]) -> str:
    """Return ascending numbers as `2 to 5`, `2 or 3`, or `2, 4 or 5`."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return listing([str(number) for number in numbers], "or")


def times(number: int) -> str:
    """Return `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
