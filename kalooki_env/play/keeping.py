"""Where the games that a person plays are kept."""

import os
import shlex
import time
from pathlib import Path

from kalooki_env.errors import RecordError
from kalooki_env.records import Journal, check_appendable


def games_folder() -> Path:
    """Return the folder of the recorded games, in the user's data folder (`XDG_DATA_HOME`).

    Raises:
        RecordError: it cannot be made.
    """
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    try:
        folder = Path(base).expanduser() / "kalooki" / "games"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise RecordError(f"expected a folder for recorded games, got: {error}") from None
    return folder


def new_file(rules: str, seed: int) -> tuple[Path | None, str]:
    """Choose a file for a game that begins now, named after the time, the rules and the seed.

    Returns:
        the file, and nothing more to say; or None, and why there is none: no reason not to play.
    """
    name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{rules}-{seed}"
    try:
        folder = games_folder()
        path, number = folder / f"{name}.jsonl", 1
        while path.exists():
            number += 1
            path = folder / f"{name}-{number}.jsonl"
        check_appendable(path)
    except RecordError as error:
        return None, f"This game is not recorded: {error}."
    return path, ""


def close(journal: Journal | None) -> list[str]:
    """End the record of a game; return lines that say where it is, none if nothing was recorded."""
    if journal is None or not journal.begun:
        return []
    journal.close()
    told = [f"This game is recorded: kalooki replay {shlex.quote(str(journal.path))}"]
    if journal.problem is not None:
        told.append(f"Its end is missing there: {journal.problem}.")
    return told
