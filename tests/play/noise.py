"""Bytes that no key sends: what terminals, networks and other programs put among the keys."""

import random
from collections.abc import Iterator

KNOWN = [
    b"\x1b[M \xff\xff",  # an old mouse report far to the right
    b"\x1b[M\x20\xc3\xa9\x1b[M#\x80\x80",  # two of them, one of which looks like a letter
    b"\xff\xfe\x00\x80\xc3\x28\xed\xa0\x80\xf5\x80\x80\x80\xf0\x9f",  # no UTF-8, and half a letter
    b"caf\xe9 \x9b31m",  # Latin-1
    b"\x1b[1114112u\x1b[55296u\x1b[99999999999999999999u",  # keys with numbers of no letter
    b"\x1b[120;1;1114112u\x1b[1;1:3u\x1b[97:65;2u\x1b[;;55296u",
    b"\x1b[<0;99999;99999M\x1b[<0;-1;-1m\x1b[<999999999;1;1M\x1b[<64;1;99M",
    b"\x1b[48;0;0;0;0t\x1b[48;99999;99999;1;1t\x1b[?2048;2$y\x1b[48;1;1;0;0t",
    b"\x1b[99999;99999R\x1b[I\x1b[O\x1b[?2026;9$y\x1b[?1;2c\x1b]11;rgb:0000/0000/0000\x07",
    b"\x1bP>|term\x1b\\\x1b_Ga\x1b\\\x1b[200~[/b]\x00\xff\x1b[31m\x1b[201~",
    b"\x1b\x1b\x1b[\x1b[1;\x1bO",
    b"\x1b[200~a paste without an end \xf0\x9f",
]
_PIECES = (
    b"\x1b[",
    b"\x1b[<",
    b"\x1b[M",
    b";",
    b":",
    b"?",
    b"$y",
    b"M",
    b"m",
    b"u",
    b"~",
    b"t",
    b"R",
)
_LEAVES = {b"q"[0], 0x11, 0x03}
"""`q`, Ctrl-Q and Ctrl-C would leave the table, or ask."""


def sequences(count: int, seed: int = 0) -> Iterator[bytes]:
    """Yield the known ones, then others made by chance."""
    yield from KNOWN[:count]
    rng = random.Random(seed)
    for _ in range(count - len(KNOWN)):
        parts = []
        for _ in range(rng.randint(1, 12)):
            kind = rng.random()
            if kind < 0.5:
                parts.append(rng.choice(_PIECES))
            elif kind < 0.75:
                number = str(rng.choice((0, 1, 2, 48, 201, 255, 55296, 1114112, 10**12, -1)))
                parts.append(number.encode())
            else:
                parts.append(bytes(rng.randrange(256) for _ in range(rng.randint(1, 6))))
        yield bytes(byte for byte in b"".join(parts) if byte not in _LEAVES)
