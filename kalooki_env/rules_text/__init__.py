"""The rules of any variant in plain English, made from the values of `Rules`.

`to_text(explain(Rules.preset("british")))` is what `kalooki rules british` prints. `page` makes
docs/rules.md from the same sentences.
"""

from kalooki_env.rules_text.explain import explain
from kalooki_env.rules_text.sections import Paragraph, Section, to_markdown, to_text

__all__ = ["Paragraph", "Section", "explain", "to_markdown", "to_text"]
