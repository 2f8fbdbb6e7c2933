"""The commands: each module has `add_arguments(parser)` and `run(args) -> exit code`.

Their tops import nothing heavy, so that `kalooki --help` is quick. The first paragraph of a
module's docstring is its line in the list of commands, the rest its help.
"""
