"""Search agents by name: `search:worlds=64,turns=1`, `search:policy=british2,worlds=32`."""

from collections.abc import Callable

from ..base import Agent, AgentError
from .agent import OPTIONS, SearchAgent
from .policy import OPTIONS as POLICY_OPTIONS
from .policy import PolicySearchAgent


def search_agent(name: str, seed: int, load: Callable[[str, int], Agent]) -> Agent:
    """Make the agent of a name: `search`, a colon, and options as KEY=VALUE, with commas.

    Args:
        name: see above; with `policy` the search of `PolicySearchAgent`, else that of `SearchAgent`.
        seed: starts its random stream.
        load: loads the agent that `policy` names.

    Raises:
        AgentError: an unknown option, a value that is no number or out of range, a policy that is no network.
    """
    parts = [part for part in name.partition(":")[2].split(",") if part]
    with_policy = any(part.partition("=")[0] == "policy" for part in parts)
    options = POLICY_OPTIONS if with_policy else OPTIONS
    kinds = {"policy": str} if with_policy else {}
    kinds |= {key: option[0] for key, option in options.items()}
    given = {}
    for part in parts:
        key, _, value = part.partition("=")
        try:
            given[key] = kinds[key](value)
        except (KeyError, ValueError):
            raise AgentError(
                f"expected options of search as KEY=VALUE with {', '.join(kinds)}, got {part[:40]!r}"
            ) from None
    if not with_policy:
        agent = SearchAgent(**given, seed=seed)
    else:
        policy = load(given.pop("policy"), seed)
        if not hasattr(policy, "probabilities"):
            raise AgentError(f"expected a checkpoint as policy of search, got {policy.name}")
        agent = PolicySearchAgent(policy, **given, seed=seed)
    agent.name = name
    return agent
