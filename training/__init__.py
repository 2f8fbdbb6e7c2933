"""Training of Kalooki agents: masked PPO in self-play. `ppo.py` is the script, read it top to
bottom."""
