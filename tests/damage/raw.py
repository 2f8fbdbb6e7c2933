"""Altering bytes without knowing what they say."""

from random import Random


def alter(rng: Random, data: bytes) -> bytes:
    """Return other bytes."""
    if not data:
        return bytes(rng.randrange(256) for _ in range(9))
    at, size = rng.randrange(len(data)), len(data)
    length = min(rng.choice((1, 2, 8, 100, 4096)), size - at)
    match rng.randrange(9):
        case 0:
            return data[:at]
        case 1:
            return data[at:]
        case 2 | 3:
            changed = bytearray(data)
            for _ in range(rng.choice((1, 1, 2, 20))):
                changed[rng.randrange(size)] ^= 1 << rng.randrange(8)
            return bytes(changed)
        case 4:
            return data[:at] + data[at + length :]
        case 5:
            return data[:at] + data[at : at + length] * 2 + data[at + length :]
        case 6:
            return data[:at] + bytes(length) + data[at + length :]
        case 7:
            return (
                data[:at] + rng.choice((b"[" * 9000, b"9" * 5000, b"\xff\xfe", b"\n")) + data[at:]
            )
        case _:
            other = rng.randrange(size)
            return data[:at] + data[other : other + length] + data[at + length :]
