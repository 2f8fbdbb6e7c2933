"""Small wrong changes to the engine, each of which the case files, the oracle or a batch must notice.

`python -m tests.mutations` makes them one after the other in copies of the sources. The changes
are in the YAML files beside this one:

- `name`, `says`: what is then wrong, in a sentence;
- `file` (below `kalooki_env`), `function` (where the text is looked for; default: the whole file),
  `old` and `new`: the change; or `edits`, a list of such changes made together;
- `builds_tables`: true where the change is to how the tables of the solver are built;
- `oracle`: parts of `tests.oracle.agreement` that are compared if nothing else notices it.
"""
