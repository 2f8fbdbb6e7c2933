"""Reading case files: YAML with the line of each case, and everything else refused in one line."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kalooki_env.errors import KalookiError, one_line, printable
from kalooki_env.files import DEEPEST, MOST_DIGITS, kind, read_whole, why

if TYPE_CHECKING:
    from yaml import Loader, Node, YAMLError

MOST_NODES = 100_000
"""Values in one case, those that an alias repeats counted again."""
_PLAIN = ("str", "int", "float", "bool", "null", "seq", "map", "merge")
_TAG = "tag:yaml.org,2002:"


class CaseError(KalookiError):
    """A case file that cannot be read, or a case that is not written as one."""


def files(paths: Iterable[str | Path]) -> list[Path]:
    """List the files that paths stand for; raise CaseError for one that stands for none."""
    found: list[Path] = []
    for path in map(Path, paths):
        try:
            is_folder, exists = path.is_dir(), path.exists()
        except (OSError, ValueError):
            is_folder = exists = False
        if is_folder:
            inside = sorted(p for p in path.rglob("*.y*ml") if p.suffix in (".yaml", ".yml"))
            if not inside:
                raise CaseError(
                    f"expected case files (*.yaml) in {path}, got none: name another folder"
                )
            found += inside
        elif exists:
            found.append(path)
        else:
            raise CaseError(
                f"expected a case file or a folder of them, got {str(path)!r}, which is not there"
            )
    return found


def items(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield line and content of each item of a file that is a list.

    In place of an item that is not plain YAML comes a CaseError.

    Raises:
        CaseError: the file cannot be read, or is no list, from here on.
    """
    import yaml

    try:
        data = read_whole(file)
        text = data.decode()
    except OSError as error:
        raise CaseError(f"{file}: expected a file of text, got: {why(error)}") from None
    except UnicodeDecodeError:
        what = kind(data) or "bytes that are no UTF-8"
        raise CaseError(f"{file}: expected a file of text, got {what}") from None
    loader = None
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
    except yaml.YAMLError as error:
        raise _mistake(file, error) from None
    except RecursionError:
        line = loader.line + 1 if loader is not None else 1
        raise CaseError(f"{file}:{line}: expected a case, got one nested too deep") from None
    if root is None:
        return
    if not isinstance(root, yaml.SequenceNode):
        raise CaseError(
            f"{file}: expected a list of cases (each starting with '- id:'), got something else"
        )
    for node in root.value:
        yield node.start_mark.line + 1, _content(file, loader, node)


def _content(file: Path, loader: "Loader", node: "Node") -> Any:
    """Return what a node says, or a CaseError."""
    import yaml

    try:
        _check(file, node, 0, [0])
        return loader.construct_object(node, deep=True)
    except CaseError as error:
        return error
    except yaml.YAMLError as error:
        return _mistake(file, error)
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError) as error:
        # as PyYAML says it where a tag is written before something that is no such value
        line = node.start_mark.line + 1
        return CaseError(f"{file}:{line}: expected YAML, got a mistake in it: {one_line(error)}")


def _check(file: Path, node: "Node", depth: int, seen: list[int]) -> None:
    """Raise CaseError unless a node is of plain values, every key once, neither deep nor endless."""
    import yaml

    where = f"{file}:{node.start_mark.line + 1}"
    seen[0] += 1
    if depth > DEEPEST or seen[0] > MOST_NODES:
        raise CaseError(f"{where}: expected a case, got one nested too deep or too large")
    tag = node.tag.removeprefix(_TAG)
    if tag not in _PLAIN:
        told = printable(str(node.value))[:40] if isinstance(node, yaml.ScalarNode) else "this"
        raise CaseError(f"{where}: expected plain texts and numbers, got a {tag}: quote {told!r}")
    if tag == "int" and len(node.value) > MOST_DIGITS:
        raise CaseError(f"{where}: expected a number, got one of {len(node.value):,} digits")
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check(file, item, depth + 1, seen)
    elif isinstance(node, yaml.MappingNode):
        keys = set()
        for key, value in node.value:
            name = (key.tag, str(key.value))
            if name in keys:
                line = key.start_mark.line + 1
                raise CaseError(
                    f"{file}:{line}: expected every key once, got "
                    f"{printable(str(key.value))[:40]!r} again: remove one"
                )
            keys.add(name)
            _check(file, key, depth + 1, seen)
            _check(file, value, depth + 1, seen)


def _mistake(file: Path, error: "YAMLError") -> CaseError:
    """Make the error of a file that is no YAML; a joker without quotes is told as one."""
    mark = getattr(error, "problem_mark", None)
    where = f"{file}:{mark.line + 1}" if mark else str(file)
    problem, context = (str(getattr(error, name, None) or "") for name in ("problem", "context"))
    if "alias" in problem or "alias" in context:
        return CaseError(
            f'{where}: expected quotes around a text that begins with a joker, such as "*" or '
            '"*KD 2C", got none'
        )
    problem = printable(" ".join((problem or str(error)).split()))[:200]
    return CaseError(f"{where}: expected YAML, got a mistake in it: {problem}")
