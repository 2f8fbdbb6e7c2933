"""Game records: written by play, evaluation and environments; read, replayed and verified.

A record is text, one JSON object a line, UTF-8; a file holds any number of games, one after
another. It tells a game by its moves, and enough besides to notice when it is told wrong:

```
{"kalooki": "record", "version": 1, "made": {"version": "0.1.0", "values": {...}}, "rules": "british", ...
{"deal": 1, "dealer": 0, "hands": ["2C 5C ...", "3D ..."], "discards": "KH", "stock": "9S ...", ...
{"seat": 1, "move": "draw", "check": "b92c4f53"}
{"seat": 1, "move": "discard KD", "check": "51d7d21c"}
{"result": {"winner": 0, "kalooki": false, ..., "penalties": [0, 43], ...}, "check": "f0a1b8c9"}
{"end": {"over": true, "deals": 1, "moves": 87}, "check": "09bb4c1e"}
```

* The first line says what is played: `rules` as a preset's name or `{"preset": name, knob: value}`,
  `seats`, `seed`, `episode`, `deal` (the contract of a single deal, or null), the `names` by seat,
  and `position` (NOTATION of case files) where the game began in the middle.
* `made` there is the version of this package that the game was made with, and every knob of its
  rules with its value. A preset is only a name: where it stands for other values by now, or a knob
  is there that this version does not know, the game is refused in one sentence that names the knob
  and the version, and is not played by other rules than its own. A knob that this version has and
  the record does not was added since, and has the value that its preset gives it. The first
  records have no `made`; they are read as long as their preset has the values that it had then.
* A line for each deal shows the cards as they were dealt, the next card of the stock first, so that
  a record can be read by itself and a program that deals otherwise is noticed at once.
* A line for each whole move, in the notation that `Game.play` reads.
* The result follows the move that ended the deal; decisions on buy-ins follow the result.
* The last line counts. `over` is false for a game that was left; a game without this line was cut
  short or is still being played.

Every line ends with `check`: the CRC-32 of the game's text so far, in 8 hexadecimal digits. It is
taken over each line without its `check` and line feed, going on from the line before (from 0 in the
first). So a line that was altered, removed, added or moved is found by its number, even where the
game would still be a legal one. It is no signature: who alters a record can compute it anew, and
then only `verify` can tell, by playing every move.

Reading a record runs nothing of what it says; whatever is wrong with one is a `RecordError`.
"""

from kalooki_env.errors import RecordError
from kalooki_env.records.files import (
    Journal,
    Tally,
    Writer,
    append,
    check_appendable,
    cut_error,
    read,
    scan,
    verify,
    write,
)
from kalooki_env.records.record import Deal, Record
from kalooki_env.records.recorder import Recorder, Step, from_choices, replay

__all__ = [
    "Deal",
    "Journal",
    "Record",
    "RecordError",
    "Recorder",
    "Step",
    "Tally",
    "Writer",
    "append",
    "check_appendable",
    "cut_error",
    "from_choices",
    "read",
    "replay",
    "scan",
    "verify",
    "write",
]
