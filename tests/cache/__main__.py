"""Run the situations and print how each went: `python -m tests.cache [TEXT OF THEIR NAMES]`."""

import sys
import time

from tests.cache.situations import SITUATIONS, Skipped


def main(text: str = "") -> int:
    """Run those whose name holds a text; return 1 if one went wrong."""
    wrong = skipped = 0
    chosen = {name: run for name, run in SITUATIONS.items() if text in name}
    for name, run in chosen.items():
        began = time.monotonic()
        try:
            run()
            result = "good"
        except Skipped as error:
            result, skipped = f"skipped: {error}", skipped + 1
        except Exception as error:
            result, wrong = f"WRONG {type(error).__name__}: {error}", wrong + 1
        print(f"{name:<62} {time.monotonic() - began:>6.1f} s  {result}", flush=True)
    print(f"{len(chosen)} situations, {wrong} wrong, {skipped} skipped")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
