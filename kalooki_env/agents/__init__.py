"""The players: `load` finds one by name or by the path of a checkpoint."""

import os
from collections.abc import Iterator
from pathlib import Path

from kalooki_env.agents.base import Agent, AgentError, as_agent
from kalooki_env.agents.header import ENDS, read_header
from kalooki_env.errors import shown

__all__ = ["Agent", "AgentError", "as_agent", "checkpoints", "find_checkpoint", "load", "names"]

BUILT_IN = ("random", "greedy", "heuristic", "search")
SUFFIX = ".safetensors"


def load(name: str, seed: int = 0) -> Agent:
    """Load an agent.

    Args:
        name: `random`; `greedy`; `heuristic`, or its quick form `heuristic:light`; `search`, with
            options as in `search:worlds=64,turns=1` or `search:policy=british2` (see
            `search.SearchAgent`, `search.policy`); or a checkpoint by the
            path of its file or run folder, or by its name: NAME stands for
            `checkpoints/NAME.safetensors` in the working directory, the repository or the package, or
            for `runs/NAME/latest.safetensors`.
        seed: starts the agent's own random stream.

    Raises:
        AgentError: nothing has that name (the message lists what has one), or PyTorch is missing.
        CheckpointError: the file is no checkpoint that can be played.
    """
    if name == "random":
        from kalooki_env.agents.random_agent import RandomAgent

        return RandomAgent(seed=seed)
    if name == "greedy":
        from kalooki_env.agents.greedy import GreedyAgent

        return GreedyAgent(seed=seed)
    if name in ("heuristic", "heuristic:light"):
        from kalooki_env.agents.heuristic import HeuristicAgent

        return HeuristicAgent(light=name.endswith(":light"), seed=seed)
    if name == "search" or name.startswith("search:"):
        from kalooki_env.agents.search.names import search_agent

        return search_agent(name, seed, load)
    return _checkpoint(find_checkpoint(name), name, seed)


def _checkpoint(path: Path, name: str, seed: int) -> Agent:
    """Load the agent of a checkpoint file, whichever kind of network it holds."""
    if read_header(path).get("kind") == ENDS:
        from kalooki_env.agents.ends import EndsCheckpoint

        return EndsCheckpoint(path, seed=seed)
    try:
        from kalooki_env.agents.checkpoint import CheckpointAgent
    except ImportError as error:
        if error.name not in ("torch", "safetensors"):
            raise
        raise AgentError(
            f"expected PyTorch and safetensors to play {name}, got no {error.name}: "
            "run pip install 'kalooki-env[play]'"
        ) from None
    return CheckpointAgent(path, seed=seed)


def names() -> list[str]:
    """List the names that `load` knows here: built-in agents, then checkpoints, newest first."""
    return list(BUILT_IN) + [name for name, _ in checkpoints()]


def checkpoints() -> list[tuple[str, Path]]:
    """List the checkpoints that have a name here, as (name, path), the newest first.

    What stands among them and is no file, such as a link that leads nowhere, is passed over, and
    so is a name that cannot be printed.
    """
    found: dict[str, Path] = {}
    for folder in _folders("checkpoints"):
        for path in _files(folder, "*" + SUFFIX):
            found.setdefault(path.stem, path)
    for folder in _folders("runs"):
        for path in _files(folder, "*/latest" + SUFFIX):
            found.setdefault(path.parent.name, path)
    return sorted(found.items(), key=lambda item: -_changed_at(item[1]))


def _files(folder: Path, pattern: str) -> list[Path]:
    """List the files of a folder that match; none where it cannot be looked into."""
    try:
        paths = sorted(folder.glob(pattern))
    except OSError:
        return []
    return [
        path
        for path in paths
        if os.path.isfile(path) and (path.parent.name + path.stem).isprintable()
    ]


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # removed since it was found
        return 0.0


def find_checkpoint(name: str) -> Path:
    """Find the file of a checkpoint by its path, its run folder or its name.

    Raises:
        AgentError: there is no such file; the message lists the names that exist.
    """
    path = Path(os.path.expanduser(name))  # a user who is not there stays as written
    if os.path.isfile(path / f"latest{SUFFIX}"):
        return path / f"latest{SUFFIX}"
    if os.path.isfile(path):
        return path
    named = dict(checkpoints())
    if name in named:
        return named[name]
    raise AgentError(
        f"expected an agent, got {shown(name)}: use {', '.join(names())} or the path of a {SUFFIX} file"
    )


def _folders(name: str) -> Iterator[Path]:
    """Yield the folders called `name`: in the working directory, the repository, the package."""
    package = Path(__file__).resolve().parent.parent
    seen = set()
    for parent in (Path.cwd(), package.parent, package):
        folder = parent / name
        if os.path.isdir(folder) and folder.resolve() not in seen:
            seen.add(folder.resolve())
            yield folder
