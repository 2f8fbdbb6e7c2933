"""The mutations of the engine: each still fits the sources, and is noticed.

`python -m tests.mutations` tries them all.
"""

import ast
import json
from pathlib import Path

import pytest

import kalooki_env
from kalooki_env import cases
from tests.mutations import __main__ as command
from tests.mutations.batches import follow_batch
from tests.mutations.following import follow
from tests.mutations.listed import Edit, Mutation, StaleMutation, apply, changed, load

PACKAGE = Path(kalooki_env.__file__).parent
CASES = Path(__file__).parent / "cases"
MUTATIONS = load()

DECIDING = {
    "apply", "batch", "contract", "dealing", "finish", "hands", "legal", "legal_melds", "legal_table",
    "listing", "match", "moves", "opening", "solver", "tables",
}  # fmt: skip
"""The modules of the engine that decide a rule."""


@pytest.fixture
def tree(tmp_path):
    """Return a folder that stands for a tree with one source of two functions."""
    (tmp_path / "kalooki_env").mkdir()
    source = "def one():\n    return 1\n\n\ndef two():\n    return 1  # two\n"
    (tmp_path / "kalooki_env" / "thing.py").write_text(source)
    return tmp_path


def test_every_mutation_fits_the_sources_and_leaves_python():
    stale = []
    for mutation in MUTATIONS:
        sources = {}
        for edit in mutation.edits:
            source = sources.get(edit.file) or (PACKAGE / edit.file).read_text(encoding="utf-8")
            try:
                sources[edit.file] = changed(mutation.name, edit, source)
                ast.parse(sources[edit.file])
            except (StaleMutation, SyntaxError) as error:
                stale.append(f"{mutation.name}: {error}")
    assert not stale, "\n".join(stale)


def test_every_module_that_decides_a_rule_is_changed_somewhere():
    touched = {Path(edit.file).stem for mutation in MUTATIONS for edit in mutation.edits}
    assert touched >= DECIDING


def test_every_mutation_says_what_is_then_wrong():
    assert all(mutation.says.endswith(".") for mutation in MUTATIONS)
    assert len({mutation.says for mutation in MUTATIONS}) == len(MUTATIONS)


def test_a_mutation_is_made_inside_its_function_only(tree):
    apply(Mutation("x", "", (Edit("thing.py", "return 1", "return 3", "two"),)), tree)
    source = (tree / "kalooki_env" / "thing.py").read_text()
    assert source == "def one():\n    return 1\n\n\ndef two():\n    return 3  # two\n"


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (Edit("thing.py", "return 2", "return 3"), "got it 0 times"),
        (Edit("thing.py", "return 1", "return 3"), "got it 2 times"),
        (Edit("thing.py", "return 1", "return 3", "three"), "expected a function three"),
    ],
)
def test_a_stale_mutation_is_refused(tree, edit, told):
    with pytest.raises(StaleMutation, match=told):
        apply(Mutation("x", "", (edit,)), tree)


def test_an_unknown_name_is_refused(capsys):
    with pytest.raises(SystemExit):
        command.read_arguments(["--only", "no-such-mutation"])
    assert "got no-such-mutation" in capsys.readouterr().err


def rows_of(*seen):
    """Return a `try_all` that tells of these (by, where) and tries nothing."""
    mutation = Mutation("thing", "Something is wrong.", (Edit("engine/match.py", "a", "b"),))
    rows = [command.Row(mutation, by, where, "", 1.0) for by, where in seen]
    return lambda *_: iter(rows)


def test_a_survivor_fails_the_check_and_is_named(monkeypatch, capsys):
    monkeypatch.setattr(command, "try_all", rows_of(("cases", ("A1", "A2")), ("", ())))
    assert command.main([]) == 1
    told = capsys.readouterr()
    assert "| A1 A2 " in told.out
    assert "| NOTHING " in told.out
    assert "1 noticed by the cases, 0 by the oracle, 0 by a batch, 1 by nothing" in told.out
    assert "not noticed: thing" in told.err


def test_a_tree_that_does_not_run_counts_as_not_noticed(monkeypatch, capsys):
    monkeypatch.setattr(command, "try_all", rows_of(("error", ())))
    assert command.main(["--json"]) == 1
    [row] = json.loads(capsys.readouterr().out)
    assert row["by"] == "error"


def test_nothing_is_tried_if_the_sources_as_they_are_fail(monkeypatch, capsys):
    def fail(*_):
        raise command.DoesNotRun("the sources as they are: ['A1']")

    monkeypatch.setattr(command, "try_all", fail)
    assert command.main([]) == 2
    assert "error: the sources as they are" in capsys.readouterr().err


@pytest.mark.parametrize("file", sorted(path.name for path in CASES.glob("*.yaml")))
def test_engine_and_oracle_agree_at_every_position_of_every_case(file):
    different = {case.id: told for case in cases.load([CASES / file]) if (told := follow(case))}
    assert not different


def test_games_of_a_batch_are_the_same_games_alone():
    assert not follow_batch()


NOTICED = ("ring-share-rounded-up", "bar-for-ever", "rest-to-the-highest-seat")


@pytest.mark.slow
def test_mutations_are_noticed_by_the_cases_or_by_the_oracle(capsys):
    assert command.main(["--json", "--only", *NOTICED]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert {name: row["by"] for name, row in rows.items()} == {
        "ring-share-rounded-up": "cases",
        "bar-for-ever": "cases",
        "rest-to-the-highest-seat": "oracle",
    }
    assert "EN10" in rows["bar-for-ever"]["noticed"]


@pytest.mark.slow
def test_a_change_that_changes_nothing_survives():
    nothing = Edit("engine/match.py", "share = i64(g.pool)", "share = 1 * i64(g.pool)")
    [row] = command.try_all([Mutation("nothing", "Nothing is wrong.", (nothing,))], processes=1)
    assert not row.noticed
    assert row.story == "NOTHING"
