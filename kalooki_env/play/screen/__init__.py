"""The table on a whole terminal, or in a browser: Textual widgets that show a `Session`.

They hold no rules: what can be done is asked of `kalooki_env.play.choices` and the game.
"""
