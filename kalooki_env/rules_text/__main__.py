"""Print docs/rules.md."""

from kalooki_env.rules_text.page import page

print(page(), end="")
