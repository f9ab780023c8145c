"""How many random deals of Pyramid can be cleared, and how long the solver takes to tell.

    python -m benchmarks.pyramid_solver [--deals 10000] [--redeals 2 1]

Every deal is decided: the cap is lifted. 10,000 deals give a 95 % interval of 0.9 points and
take about four minutes on two cores, most of them for one redeal. Prints a table in Markdown:
"unknown" is the share that the solver's own cap would leave open. Exits 1 where a share is more
than 1.5 points from the known one.
"""

import argparse
import sys
import time
from functools import partial
from multiprocessing import Pool, cpu_count
from random import Random
from statistics import quantiles
from typing import NamedTuple

from games.bots.pyramid.solver import CAP, solve
from games.engine.cards import NAMES
from games.engine.pyramid import PLACES

KNOWN = {2: 66.6, 1: 58.9, 0: 9.6}
"""Clearable shares by redeals, in per cent, found earlier by other programs."""
LIFTED = 1 << 62
OFF = 1.5


class Deal(NamedTuple):
    clearable: bool
    nodes: int
    seconds: float


def solved(redeals: int, seed: int) -> Deal:
    """A random deal, decided."""
    cards = Random(seed).sample(NAMES, 52)
    began = time.process_time()
    found = solve(cards[:PLACES], cards[PLACES:], redeals=redeals, cap=LIFTED)
    return Deal(bool(found.clearable), found.nodes, time.process_time() - began)


def row(redeals: int, deals: list[Deal]) -> tuple[str, bool]:
    """A line of the table, and whether its share is near the known one."""
    count = len(deals)
    share = sum(deal.clearable for deal in deals) / count
    interval = 196 * (share * (1 - share) / count) ** 0.5
    unknown = sum(deal.nodes > CAP for deal in deals) / count
    times = quantiles([1000 * deal.seconds for deal in deals], n=100)
    cells = [
        str(redeals),
        f"{count:,}",
        f"{100 * share:.1f} ± {interval:.1f} %",
        f"{KNOWN[redeals]} %",
        f"{100 * unknown:.2f} %",
        f"{times[49]:.1f} ms",
        f"{times[94]:.0f} ms",
        f"{1000 * max(deal.seconds for deal in deals):,.0f} ms",
    ]
    return f"| {' | '.join(cells)} |", abs(100 * share - KNOWN[redeals]) <= OFF


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--redeals", type=int, nargs="+", default=[2, 1], choices=KNOWN)
    given = parser.parse_args()
    print("| redeals | deals | clearable | known | unknown | p50 | p95 | longest |")
    print("|---|---|---|---|---|---|---|---|")
    near = True
    with Pool(cpu_count(), maxtasksperchild=50) as pool:
        for redeals in given.redeals:
            job = partial(solved, redeals)
            line, good = row(redeals, pool.map(job, range(given.deals), chunksize=10))
            print(line, flush=True)
            near = near and good
    sys.exit(not near)


if __name__ == "__main__":
    main()
