"""Bits of an integer and rows of counts by card, a few machine instructions each."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

LINE = 64
"""Bytes that come from memory at once."""


def popcount(x: int) -> int:
    """Return how many bits of a non-negative integer are set."""
    return int(x).bit_count()


def lowest(x: int) -> int:
    """Return the index of the lowest bit that is set; `x` must not be 0."""
    return (int(x) & -int(x)).bit_length() - 1


def copy_row(row: np.ndarray, out: np.ndarray, at: int) -> None:
    """Copy a row of bytes into another array of bytes, from place `at` on."""
    out[at : at + len(row)] = row


def prefetch(rows: np.ndarray, i: int, size: int) -> None:
    """Have the first bytes of entry `i` of an array brought into the cache, if there is one: the
    processor fetches them while it works on something else."""


def word_at(row: np.ndarray, at: int) -> int:
    """Return eight bytes of an array, from place `at` on, as an int64, the first the lowest."""
    return int.from_bytes(row[at : at + 8].tobytes(), "little", signed=True)


def put_word(out: np.ndarray, at: int, word: int) -> None:
    """Write the eight bytes of an int64, the lowest first, into an array of bytes."""
    for k in range(8):
        out[at + k] = (int(word) >> (8 * k)) & 255


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


def _address(context, builder, array_type, array, at=None):
    """Return where an entry of an array of bytes is, the first or number `at`."""
    start = context.make_array(array_type)(context, builder, array).data
    return start if at is None else builder.gep(start, [at])


@intrinsic
def _copy_row(context, row, out, at):
    def generate(context, builder, signature, arguments):
        source = _address(context, builder, signature.args[0], arguments[0])
        target = _address(context, builder, signature.args[1], arguments[1], arguments[2])
        # Rows of a record have a fixed length, and then this is a few moves without a loop.
        length = context.make_array(signature.args[0])(context, builder, arguments[0]).nitems
        cgutils.raw_memcpy(builder, target, source, length, 1)
        return context.get_dummy_value()

    return types.void(row, out, types.int64), generate


@intrinsic
def _prefetch(context, rows, i, size):
    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        length = builder.extract_value(array.strides, 0)
        start = builder.bitcast(array.data, ir.IntType(8).as_pointer())
        start = builder.gep(start, [builder.mul(arguments[1], length)])
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [start.type, word, word, word])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        with cgutils.for_range_slice(builder, length.type(0), arguments[2], length.type(LINE)) as (
            at,
            _,
        ):
            line = builder.gep(start, [at])
            # To be written, soon, and data.
            builder.call(fetch, [line, word(1), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64), generate


@intrinsic
def _put_word(context, out, at, word):
    def generate(context, builder, signature, arguments):
        target = _address(context, builder, signature.args[0], arguments[0], arguments[1])
        pointer = builder.bitcast(target, arguments[2].type.as_pointer())
        builder.store(arguments[2], pointer, align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.int64), generate


@intrinsic
def _word_at(context, row, at):
    def generate(context, builder, signature, arguments):
        source = _address(context, builder, signature.args[0], arguments[0], arguments[1])
        pointer = builder.bitcast(source, ir.IntType(64).as_pointer())
        return builder.load(pointer, align=1)

    return types.int64(row, types.int64), generate


@overload(copy_row)
def _compile_copy_row(row, out, at):
    return lambda row, out, at: _copy_row(row, out, at)


@overload(prefetch)
def _compile_prefetch(rows, i, size):
    def fetch(rows, i, size):
        if i < len(rows):
            _prefetch(rows, i, size)

    return fetch


@overload(put_word)
def _compile_put_word(out, at, word):
    return lambda out, at, word: _put_word(out, at, word)


@overload(word_at)
def _compile_word_at(row, at):
    return lambda row, at: _word_at(row, at)
