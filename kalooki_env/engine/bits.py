"""Bits of an integer and rows of counts by card, a few machine instructions each."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from .layout import CARDS


def popcount(x: int) -> int:
    """Return how many bits of a non-negative integer are set."""
    return int(x).bit_count()


def lowest(x: int) -> int:
    """Return the index of the lowest bit that is set; `x` must not be 0."""
    return (int(x) & -int(x)).bit_length() - 1


def copy_cards(row: np.ndarray, out: np.ndarray, at: int) -> None:
    """Copy a row of counts by card type, int8[53] to `out[at : at + 53]`, uint8."""
    out[at : at + CARDS] = row


@intrinsic
def _popcount(context, x):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _lowest(context, x):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@overload(popcount)
def _compile_popcount(x):
    return lambda x: _popcount(x)


@overload(lowest)
def _compile_lowest(x):
    return lambda x: _lowest(x)


@intrinsic
def _copy_cards(context, row, out, at):
    # The length is known here, and not from the types of the arrays: no loop, no check for overlap.
    def generate(context, builder, signature, arguments):
        source = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        target = context.make_array(signature.args[1])(context, builder, arguments[1]).data
        target = builder.gep(target, [arguments[2]])
        cgutils.raw_memcpy(builder, target, source, ir.Constant(ir.IntType(64), CARDS), 1)
        return context.get_dummy_value()

    return types.void(row, out, types.int64), generate


@overload(copy_cards)
def _compile_copy_cards(row, out, at):
    return lambda row, out, at: _copy_cards(row, out, at)
