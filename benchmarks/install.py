"""Install the peers of `kalooki bench --peers`: `python -m benchmarks.install [NAME ...]`.

Each goes into a virtual environment of its own, benchmarks/venvs/NAME, made anew; to remove a peer
remove that folder. Together they take about 2.5 GB.
"""

import argparse
import subprocess
import sys
import venv
from collections.abc import Sequence

from kalooki_env.bench.peer_process import PeerError, PeerProcess
from kalooki_env.bench.peers import ROOT, Peer, load, select


def install(peer: Peer) -> None:
    """Make the environment of a peer and see that its script starts there.

    Raises:
        PeerError: pip fails, or the script does.
    """
    venv.create(peer.folder(), clear=True, with_pip=True)
    python = str(peer.python())
    for requirements in peer.install:
        print(f"{peer.name}: pip install {' '.join(requirements)}", flush=True)
        pip = [python, "-m", "pip", "install", "--quiet", *requirements]
        if code := subprocess.run(pip, cwd=ROOT).returncode:
            raise PeerError(f"{peer.name}: pip ended with exit code {code}, see above")
    command = [python, "-m", "benchmarks.peers", peer.name]
    with PeerProcess(peer.name, command, ROOT) as process:
        for pair in peer.pairs:
            process.title(pair.theirs)


def main(words: Sequence[str] | None = None) -> int:
    """Install the peers that are named; return 1 if one fails."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.install",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a peer (default: all)")
    names, failed = parser.parse_args(words).names, False
    try:
        peers = select(load(), names)
    except PeerError as error:
        parser.error(str(error))
    for peer in peers:
        try:
            install(peer)
            print(f"{peer.name}: installed in {peer.folder()}", flush=True)
        except PeerError as error:
            failed = True
            print(error, file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
