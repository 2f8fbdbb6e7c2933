"""Checks of what callers give: whole numbers and keywords, each refused in one sentence."""

import difflib
import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kalooki_env.errors import KalookiError, RulesError, shown

MANY = 2**31 - 1
"""The most games, rows or slots that anybody may ask for."""


def whole(
    what: str,
    value: object,
    low: int = 0,
    high: int | None = None,
    *,
    null: bool = False,
    error: type[ValueError] = RulesError,
) -> Any:
    """Return a whole number of any integer type as a plain int.

    Args:
        what: the name that the error begins with.
        value: what was given.
        low, high: the range; without `high` there is no upper end.
        null: whether None may stand for the number; it is returned as it is.
        error: what is raised.

    Raises:
        RulesError: a truth value, a float, a text, a number out of the range.
    """
    if null and value is None:
        return None
    number = as_whole(value)
    if number is not None and low <= number and (high is None or number <= high):
        return number
    span = f"from {low}" if high is None else f"{low}-{high}"
    raise error(
        f"{what}: expected {'None or ' if null else ''}a whole number {span}, got {shown(value)}"
    )


def as_whole(value: object) -> int | None:
    """Return a whole number of any integer type as a plain int, None for anything else."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def at_least_one(thing: str, number: object) -> int:
    """Return a count of things as a plain int; raise KalookiError for less than one of them."""
    count = as_whole(number)
    if count is None or count < 1:
        raise KalookiError(f"expected at least 1 {thing}, got {number!r}")
    return count


@contextmanager
def fitting(what: str, number: int) -> Iterator[None]:
    """Turn a failure to allocate so many of something into a RulesError."""
    try:
        yield
    except MemoryError:
        raise RulesError(
            f"{what}: expected a number that the memory holds, got {number}: use fewer"
        ) from None


def close_names(name: object, known: Iterable[str]) -> str:
    """Return a hint that names what the user may have meant, or nothing."""
    close = difflib.get_close_matches(str(name), list(known))
    return f"; did you mean {' or '.join(close)}?" if close else ""


def known_keywords(name: str, knobs: Iterable[str] = ()) -> Callable:
    """Let a function refuse a keyword that it does not have, naming the close ones.

    Args:
        name: what the caller calls.
        knobs: names that belong into its argument `rules` instead.
    """

    def decorate(function: Callable) -> Callable:
        known = [key for key in inspect.signature(function).parameters if key != "self"]

        @functools.wraps(function)
        def checked(*args: Any, **keywords: Any) -> Any:
            for key in keywords:
                if key not in known:
                    raise KalookiError(_unknown(name, key, keywords[key], known, knobs))
            return function(*args, **keywords)

        return checked

    return decorate


def _unknown(name: str, key: str, value: object, known: list[str], knobs: Iterable[str]) -> str:
    """Say that `name` has no keyword `key`, and what was meant."""
    if key in set(knobs):
        hint = f': a knob of the rules, rules={{"preset": name, "{key}": {value!r}}}'
    else:
        hint = close_names(key, known) or f": they are {', '.join(known)}"
    return f"{name}: expected one of its keywords, got {key!r}{hint}"
