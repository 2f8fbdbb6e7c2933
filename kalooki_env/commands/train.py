"""Train an agent by self-play, as a configuration file says.

Writes one run folder: the resolved configuration, the metrics, TensorBoard
events and latest.safetensors, the checkpoint. Ctrl-C saves a usable
checkpoint and leaves; --resume goes on from it. Training needs PyTorch: pip
install 'kalooki-env[train]'.
"""

import argparse

from kalooki_env.errors import KalookiError

NEEDED = ("training", "torch", "safetensors", "tensorboard")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "config", metavar="CONFIG", help="configuration of the run, such as configs/quick.toml"
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="folder of the run (default: runs/ and the configuration's name)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on from the latest checkpoint in the folder"
    )


def run(args: argparse.Namespace) -> int:
    """Run the training."""
    try:
        from training import ppo
    except ImportError as error:
        if error.name not in NEEDED:
            raise
        raise KalookiError(
            f"expected what training needs, got no {error.name}: "
            "run pip install 'kalooki-env[train]'"
        ) from None
    ppo.train(args.config, out=args.out, resume=args.resume)
    return 0
