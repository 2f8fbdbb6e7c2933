"""
Kalooki for one learner at many tables at once: a native Gymnasium vector environment.

    envs = gymnasium.make_vec("kalooki_env:Kalooki-v0", num_envs=1024, opponents="greedy")
    observations, infos = envs.reset(seed=7)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Row `i` is what `kalooki_env.single` describes: given the same seeds and actions it returns the same
observations, masks, rewards, ends and infos, as a `SyncVectorEnv` of single environments does, and
it does not depend on the number of rows. That holds for opponents whose choice depends on nothing
but their game: `random` and `greedy` are such agents, and every agent that keeps to
`kalooki_env.agents.Agent`. (A network computes in batches; a choice may differ where two logits are
equal to the last digits.)

* **Observations**: dict of `action_mask` int8 `(N, 1170)` and `observation` uint8 `(N, OBS)`, or
  float32, each entry times its factor in `observation.scales()`.
* **Masks are never empty.** Where an episode has ended (the row has no decision left) the mask has
  `DRAW` alone, so that a masked policy can always sample; the single environment has zeros there.
  `action_masks()` gives the masks as bool `(N, 1170)`.
* **Autoreset** (`autoreset_mode`, in `metadata` too): with `NEXT_STEP` the step after an end deals a new
  episode in that row, whatever its action, with reward 0; with `SAME_STEP` the step itself does, and
  `infos["final_obs"]` and `infos["final_info"]` have what the end showed; with `DISABLED` a row
  that has ended must be dealt by `reset(options={"reset_mask": rows})` before the next step.
* **Arrays** are new at every step. With `copy=False` the observations and masks are the
  environment's own arrays, which its next step or reset overwrites; rewards, ends and the other
  infos are new arrays all the same. `infos["action_mask"]` is the array of the observations.
* **Infos**: each key of the single environment's info, as an array of N, and under the key with
  `_` in front which rows it is for: all of them, but only those dealt after a reset of some rows.
* **Opponents** play inside. `random` and `greedy` are compiled in; of other agents `act_batch` is
  called for all rows that wait for them together, or `act` for one after another where there is no
  more. Their forced moves are played without asking. An illegal one raises `AgentMistake`, whatever
  `illegal` says of the learner's, and the environment needs a reset.
"""

from kalooki_env.vector.env import KalookiVectorEnv

__all__ = ["KalookiVectorEnv"]
