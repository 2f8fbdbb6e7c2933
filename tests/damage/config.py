"""Settings of training runs."""

from pathlib import Path
from random import Random

from tests.damage.kind import Kind
from training import config as configs
from training.start import settings

TEXTS = (
    "0", "-1", "1", "true", '""', '"x"', "'~nosuchuser'", '"\\u0000"', '"\\u001b[2J"', "1.5", "nan", "-inf",
    "1e400", "9" * 400, "9" * 5000, "0x" + "f" * 5000, "1" + "_0" * 300, "[" * 5000, "[[[]]]", "[]", "[1]",
    "[0]", '["x"]', "[1.5]", "{}", "{a = 1}", "{a.b.c = 1}", "2001-13-45", "2001-01-01", "07:32:00",
    '"""', "\0", "", "[" + "1, " * 5000 + "1]", '["' + "x" * 9000 + '"]',
)  # fmt: skip


def samples(folder: Path) -> list[bytes]:
    """Write the default settings, and those of the repository."""
    shipped = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))
    return [configs.Config().to_toml().encode(), *(path.read_bytes() for path in shipped[:3])]


def alter(rng: Random, data: bytes) -> bytes:
    """Give a key another value, or a value another key."""
    lines = data.decode().splitlines()
    at = rng.choice([k for k, line in enumerate(lines) if "=" in line])
    key, _, value = lines[at].partition(" = ")
    if rng.random() < 0.85:
        value = rng.choice(TEXTS)
    else:
        key = rng.choice((key.upper(), '"\\u001b"', "x." * 400 + "y", f"[{key}]\n{key}", '""'))
    lines[at] = f"{key} = {value}"
    if rng.random() < 0.1:
        lines.insert(at, lines[at])
    return "\n".join(lines).encode()


def read(path: Path, _: bytes) -> None:
    """Read it; what is read can be written and read again."""
    config = settings(path)
    assert configs.from_dict(config.to_dict(), type(config)) == config
    kinds = type(config)()
    for key, value in vars(config).items():
        assert type(value) is type(getattr(kinds, key)), f"{key} is {value!r}"
    config.digest()


KIND = Kind(
    "config",
    "run.toml",
    samples,
    alter,
    read,
    lambda path: ["train", str(path), "--out", "/dev/null"],
)
