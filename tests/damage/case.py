"""Case files."""

import json
from pathlib import Path
from random import Random

import yaml

from kalooki_env import cases
from kalooki_env.commands.cases import _report
from tests.damage import values
from tests.damage.kind import Kind

FOLDER = Path(__file__).parents[1] / "cases"
TEXTS = (
    "*", "*KD", "* 2C", "&a [*a]", "0x" + "f" * 5000, "9" * 5000, "[" * 3000, "{" * 3000, "2001-13-45",
    "2001-01-01", "!!int x", "!!timestamp x", "!!float ''", "!!binary x", "!!python/name:os.system",
    "!!set {a}", "? [a]\n: b", "190:20:30", ".nan", ".inf", "~", "'\\0'", '"\\0"', '"\\e[2J"', "<<", "%x",
    "@x", "`x", "\t", "|", "- - - -", "{a: 1, a: 2}", "[[1, 2], {}]", "{}", "[]",
)  # fmt: skip


def samples(folder: Path) -> list[bytes]:
    """Take the first cases of some files."""
    found = []
    for file in sorted(FOLDER.glob("*.yaml"))[::3]:
        nodes = yaml.safe_load(file.read_text(encoding="utf-8"))[:3]
        found.append(yaml.safe_dump(nodes, sort_keys=False).encode())
    return found


def alter(rng: Random, data: bytes) -> bytes:
    """Alter what the cases say, or write something at a value that YAML reads otherwise."""
    if rng.random() < 0.5:
        tree = values.alter(rng, yaml.safe_load(data))
        return values.to_json(tree).encode("utf-8", "surrogatepass")
    lines = data.decode().splitlines()
    at = rng.choice([k for k, line in enumerate(lines) if ": " in line or line.startswith("- ")])
    key, colon, _ = lines[at].partition(": ")
    lines[at] = f"{key}{colon or ' '}{rng.choice(TEXTS)}"
    return "\n".join(lines).encode()


def read(path: Path, _: bytes) -> None:
    """Read and run what can be read; what comes out is lines that can be printed, and JSON."""
    found, broken = cases.read([path])
    for error in broken:
        assert str(error).isprintable() and len(str(error)) < 900, str(error)[:1200]
    outcomes = cases.run(found)
    for outcome in outcomes:
        told = " ".join((outcome.case.id, outcome.case.why, *outcome.problems))
        assert told.isprintable(), told
    json.dumps(_report(outcomes, 0, []))
    if broken:
        raise broken[0]


KIND = Kind("case", "case.yaml", samples, alter, read, lambda path: ["cases", str(path)])
