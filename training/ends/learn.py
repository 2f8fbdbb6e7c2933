"""The gradient: the network in PyTorch, its critic, and PPO over the options of a decision.

The policy is a softmax over the options of a decision, each with the score of its best end. Nine
tenths of what becomes of a deal is luck, so the critic is shown what no player sees, the hands of all
seats and the next cards that the stock has for each; that takes nothing away from the gradient, whose
mean it cannot change, and a good part of its noise.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from kalooki_env.agents.ends.layout import AT, INPUTS, OTHERS, SIZES
from kalooki_env.agents.ends.weights import Net
from kalooki_env.agents.heuristic.layout import POINTS_SCALE, ROWS, N
from kalooki_env.engine.layout import MAX_SEATS
from training.ends.config import EndsConfig
from training.ends.self_play import OPTION_VALUES, SEAT_VALUES, Deals, expand, returns

BY_SEAT = ("open", "others_cards", "known", "thrown", "refused")
"""Blocks of inputs with a part for each other seat."""
ALWAYS = ("seats", "rules")
"""Blocks that are the same in all deals of a run."""


def columns_of(seats: int) -> np.ndarray:
    """Return the inputs, features aside, that change within a table of so many seats: int64[c]."""
    parts = []
    for name, size in SIZES.items():
        if name in ALWAYS:
            continue
        used = size // OTHERS * (seats - 1) if name in BY_SEAT else size
        parts.append(np.arange(AT[name], AT[name] + used))
    return np.concatenate(parts)


class EndsNetwork(nn.Module):
    """The network of `kalooki_env.agents.ends.score`; inputs that are never there get no gradient."""

    def __init__(self, net: Net, columns: np.ndarray) -> None:
        """Start from `net`; `columns` are the inputs (without features) that are ever there."""
        super().__init__()
        self.columns = columns
        self._whole, self._temperature = net.w1.copy(), net.temperature
        self.skip = nn.Parameter(torch.from_numpy(net.skip.copy()))
        self.phi = nn.Parameter(torch.from_numpy(net.w1[:N].copy()))
        self.cards = nn.Parameter(torch.from_numpy(net.w1[columns].copy()))
        self.b1 = nn.Parameter(torch.from_numpy(net.b1.copy()))
        self.w2 = nn.Parameter(torch.from_numpy(net.w2.copy()))
        self.b2 = nn.Parameter(torch.from_numpy(net.b2.copy()))
        self.w3 = nn.Parameter(torch.from_numpy(net.w3.copy()))

    def forward(self, phi: Tensor, cards: Tensor, row: Tensor) -> Tensor:
        """Return the scores, float32[B], of ends.

        Args:
            phi: float32[B, N], features.
            cards: float32[B, len(columns)], 0 or 1.
            row: int64[B], rows of the linear part.
        """
        first = torch.relu(torch.addmm(torch.addmm(self.b1, phi, self.phi), cards, self.cards))
        second = torch.relu(torch.addmm(self.b2, first, self.w2))
        linear = (phi @ self.skip.T).gather(1, row[:, None]).squeeze(1)
        return linear + second @ self.w3

    def net(self) -> Net:
        """Return the weights for compiled code."""
        w1 = self._whole.copy()
        w1[:N], w1[self.columns] = _numpy(self.phi), _numpy(self.cards)
        rest = (_numpy(part) for part in (self.b1, self.w2, self.b2, self.w3))
        return Net(_numpy(self.skip), w1, *rest, self._temperature)


def _numpy(parameter: Tensor) -> np.ndarray:
    return parameter.detach().numpy().copy()


class Critic(nn.Module):
    """The value of each option of a decision, seen with all hands and the next cards of the stock."""

    def __init__(self, seats: int, hidden: tuple[int, ...]) -> None:
        """Build it with fresh weights from torch's random stream."""
        super().__init__()
        a, b = hidden
        self.option = nn.Linear(N + ROWS + OPTION_VALUES, a)
        self.table = nn.Linear(seats * SEAT_VALUES, a, bias=False)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(a, b), nn.ReLU(), nn.Linear(b, 1))

    def forward(self, options: Tensor, table: Tensor, decision: Tensor) -> Tensor:
        """Return values in 0..1, float32[o].

        Args:
            options: float32[o, N + ROWS + OPTION_VALUES], see `critic_inputs`.
            table: float32[d, seats * SEAT_VALUES], what the hands of all seats are worth.
            decision: int64[o], the decision of each option.
        """
        first = self.option(options) + self.table(table)[decision]
        return torch.sigmoid(self.rest(first).squeeze(1))


def critic_inputs(options: np.ndarray) -> Tensor:
    """Return what the critic sees of options: their features, rows, and hands with cards to come."""
    rows = np.zeros((len(options), ROWS), np.float32)
    rows[np.arange(len(options)), options["row"]] = 1
    return torch.from_numpy(np.concatenate([options["phi"], rows, options["looks"]], axis=1))


def outcomes(deals: Deals, win_weight: float) -> np.ndarray:
    """Return how good each deal was for each seat, float64[deals, seats] in 0..1."""
    seats = deals.penalties.shape[1]
    won = np.where(
        deals.winner[:, None] < 0, 1 / seats, deals.winner[:, None] == np.arange(seats)[None]
    )
    others = (deals.penalties.sum(axis=1, keepdims=True) - deals.penalties) / (seats - 1)
    points = np.clip(1 / seats + (others - deals.penalties) / POINTS_SCALE, 0, 1)
    return win_weight * won + (1 - win_weight) * points


def lambda_returns(deals: Deals, values: np.ndarray, outcome: np.ndarray, lam: float) -> np.ndarray:
    """Return the lambda return of each decision, float64[d]."""
    out = np.empty(len(values))
    returns(deals.decisions, values, outcome, lam, np.zeros((MAX_SEATS, 2)), out)
    return out


class Minibatch(NamedTuple):
    """Whole decisions of a round, with all their options."""

    decisions: np.ndarray
    """int64[d], which of the round."""
    phi: Tensor
    """float32[o, N]"""
    cards: Tensor
    """float32[o, columns], 0 or 1."""
    row: Tensor
    """int64[o]"""
    worth: Tensor
    """float32[o], the scores as they were when the round was played."""
    decision: Tensor
    """int64[o], the decision of each option, counted within the minibatch."""
    drawn: Tensor
    """int64[d], the option that was drawn in each."""
    options: np.ndarray
    """int64[o], which of the round."""


def minibatches(
    deals: Deals, columns: np.ndarray, size: int, rng: np.random.Generator
) -> Iterator[Minibatch]:
    """Cut a round into minibatches of about `size` decisions, in random order."""
    column = np.zeros(INPUTS, np.int64)
    column[columns] = np.arange(len(columns))
    known = np.zeros(INPUTS, np.bool_)
    known[columns] = True
    count = len(deals.decisions)
    for at in np.array_split(rng.permutation(count), max(1, count // size)):
        decisions = deals.decisions[at]
        sizes = decisions["n"].astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        which = np.arange(sizes.sum()) + np.repeat(decisions["first"] - starts, sizes)
        options = deals.options[which]
        cards = np.empty((len(options), len(columns)), np.float32)
        expand(options, deals.listed, column, known, cards)
        yield Minibatch(
            at,
            torch.from_numpy(np.ascontiguousarray(options["phi"])),
            torch.from_numpy(cards),
            torch.from_numpy(options["row"].astype(np.int64)),
            torch.from_numpy(options["worth"].copy()),
            torch.from_numpy(np.repeat(np.arange(len(at)), sizes)),
            torch.from_numpy(starts + decisions["chosen"]),
            which,
        )


def log_policy(scores: Tensor, batch: Minibatch, temperature: float) -> Tensor:
    """Return the logarithm of each option's probability among those of its decision."""
    n = len(batch.decisions)
    highest = torch.full((n,), -torch.inf).scatter_reduce(0, batch.decision, batch.worth, "amax")
    logits = ((scores - highest[batch.decision]) / temperature).clamp(max=60.0)
    total = torch.zeros(n).index_add(0, batch.decision, logits.exp())
    return logits - total.log()[batch.decision]


class Judged(NamedTuple):
    """What the critic and the deals say of a round, in units of `spread`."""

    advantages: Tensor
    """float32[o], by how much each option is better than its decision's mean, as the critic sees it."""
    chances: Tensor
    """float32[o], the probability of each when the round was played."""
    correction: Tensor
    """float32[d], by how much what came of the drawn option was better than the critic had thought."""
    old: Tensor
    """float32[d], the log probability of the drawn option."""
    wanted: np.ndarray
    """float64[d], what the critic is fitted to, not in units."""
    spread: float
    explained: float


def clipped_gain(ratio: Tensor, advantage: Tensor, clip: float) -> Tensor:
    """Return PPO's surrogate: no gain for going further than `clip` from the old probability."""
    return torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)


class Learner:
    """The network that learns, its running mean, its critic, and their optimizers."""

    def __init__(self, config: EndsConfig, net: Net) -> None:
        """Start from `net`."""
        torch.manual_seed(config.seed)
        self.config = config
        self.columns = columns_of(config.seats)
        self.network = EndsNetwork(net, self.columns)
        self.mean = EndsNetwork(net, self.columns)
        self.critic = Critic(config.seats, config.critic)
        rest = [p for name, p in self.network.named_parameters() if name != "skip"]
        self.optimizer = torch.optim.Adam(
            [
                {"params": rest, "lr": config.learning_rate},
                {"params": [self.network.skip], "lr": config.linear_learning_rate},
            ],
            eps=1e-7,
        )
        self.critic_optimizer = torch.optim.Adam(
            self.critic.parameters(), lr=config.critic_learning_rate
        )

    def update(self, deals: Deals, number: int) -> dict[str, float]:
        """Learn from round `number`; return what is measured on the way."""
        config = self.config
        rng = np.random.default_rng([config.seed, 3, number])
        done = number / config.rounds
        ent_coef = config.ent_coef + (config.final_ent_coef - config.ent_coef) * done
        falling = 1 + (config.final_learning_rate / config.learning_rate - 1) * done
        rates = config.learning_rate, config.linear_learning_rate
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * falling

        outcome = outcomes(deals, config.win_weight)
        if number == 0:
            target = outcome[deals.decisions["deal"], deals.decisions["seat"]]
            self._fit_critic(deals, target, rng, epochs=8)
        judged = self._judge(deals, outcome)
        self._fit_critic(deals, judged.wanted, rng, epochs=2)

        sums: dict[str, list[float]] = {}
        for _ in range(config.update_epochs):
            for batch in minibatches(deals, self.columns, config.minibatch_size, rng):
                loss, measured = self._loss(batch, judged, ent_coef)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
                self.optimizer.step()
                for name, value in measured.items():
                    sums.setdefault(name, []).append(value.item())
        keep = min(config.averaging, (number + 1) / (number + 10))
        with torch.no_grad():
            for mean, now in zip(self.mean.parameters(), self.network.parameters(), strict=True):
                mean.mul_(keep).add_(now, alpha=1 - keep)
        return {
            "charts/learning_rate": rates[0] * falling,
            "charts/ent_coef": ent_coef,
            "losses/explained_variance": judged.explained,
            "losses/advantage": judged.spread,
            **{name: float(np.mean(values)) for name, values in sums.items()},
        }

    def _judge(self, deals: Deals, outcome: np.ndarray) -> "Judged":
        """Judge every option of a round, and what came of those that were drawn."""
        config, decisions = self.config, deals.decisions
        decision = np.repeat(np.arange(len(decisions)), decisions["n"])
        with torch.no_grad():
            values = self.critic(
                critic_inputs(deals.options), torch.from_numpy(deals.hidden), torch.from_numpy(decision)
            ).numpy()
        highest = deals.options["worth"][decisions["first"] + decisions["best"]]
        share = np.exp((deals.options["worth"] - highest[decision]) / config.temperature)
        chances = share / np.add.reduceat(share, decisions["first"])[decision]
        expected = np.add.reduceat(chances * values, decisions["first"]).astype(np.float64)
        drawn = decisions["first"] + decisions["chosen"]
        wanted = lambda_returns(deals, expected, outcome, config.critic_lambda)
        surprise = lambda_returns(deals, expected, outcome, config.gae_lambda) - values[drawn]
        advantages = values - expected[decision]
        correction = config.correction * (surprise - surprise.mean())
        spread = max(float((advantages[drawn] + correction).std()), 1e-9)
        target = outcome[decisions["deal"], decisions["seat"]]
        explained = 1 - float(np.var(target - expected) / max(np.var(target), 1e-9))
        parts = (advantages / spread, chances, correction / spread, decisions["log_prob"])
        tensors = (torch.from_numpy(part.astype(np.float32)) for part in parts)
        return Judged(*tensors, wanted, spread, explained)

    def _loss(
        self, batch: Minibatch, judged: "Judged", ent_coef: float
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Return PPO's loss of a minibatch, and what is measured on the way.

        All options count, each by its chance, for what the critic thinks of it; the one that was drawn
        also for what came of it beyond that.
        """
        clip = self.config.clip_coef
        scores = self.network(batch.phi, batch.cards, batch.row)
        log_probs = log_policy(scores, batch, self.config.temperature)
        at, rows = torch.from_numpy(batch.decisions), torch.from_numpy(batch.options)
        chances = judged.chances[rows]
        ratios = (log_probs - chances.clamp(min=1e-9).log()).exp()
        gain = chances * clipped_gain(ratios, judged.advantages[rows], clip)
        logratio = log_probs[batch.drawn] - judged.old[at]
        ratio = logratio.exp()
        pg_loss = -(gain.sum() / len(at) + clipped_gain(ratio, judged.correction[at], clip).mean())
        entropies = torch.zeros(len(at)).index_add(0, batch.decision, -log_probs.exp() * log_probs)
        entropy = entropies.mean()
        with torch.no_grad():
            measured = {
                "losses/policy_loss": pg_loss,
                "losses/entropy": entropy,
                "losses/approx_kl": ((ratio - 1) - logratio).mean(),
                "losses/clipfrac": ((ratio - 1).abs() > clip).float().mean(),
            }
        return pg_loss - ent_coef * entropy, measured

    def _fit_critic(
        self, deals: Deals, wanted: np.ndarray, rng: np.random.Generator, epochs: int
    ) -> None:
        """Fit the critic's values of the options that were drawn to what is `wanted` of them."""
        drawn = deals.options[deals.decisions["first"] + deals.decisions["chosen"]]
        options, table = critic_inputs(drawn), torch.from_numpy(deals.hidden)
        target = torch.from_numpy(wanted.astype(np.float32))
        for _ in range(epochs):
            for at in np.array_split(rng.permutation(len(drawn)), max(1, len(drawn) // 2048)):
                rows = torch.from_numpy(at)
                values = self.critic(options[rows], table[rows], torch.arange(len(at)))
                loss = (values - target[rows]).square().mean()
                self.critic_optimizer.zero_grad()
                loss.backward()
                self.critic_optimizer.step()

    def state(self) -> dict[str, Any]:
        """Return all that changes, for `torch.save`."""
        return {name: part.state_dict() for name, part in self._parts()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        for name, part in self._parts():
            part.load_state_dict(state[name])

    def _parts(self) -> Iterator[tuple[str, Any]]:
        for name in ("network", "mean", "critic", "optimizer", "critic_optimizer"):
            yield name, getattr(self, name)
