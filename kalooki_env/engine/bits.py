"""Bits of an integer, one machine instruction each."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def popcount(x: int) -> int:
    """Return how many bits of a non-negative integer are set."""
    return int(x).bit_count()


def lowest(x: int) -> int:
    """Return the index of the lowest bit that is set; `x` must not be 0."""
    return (int(x) & -int(x)).bit_length() - 1


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
