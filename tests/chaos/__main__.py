"""`make chaos`: CHAOS_S seconds of trouble; ends with a summary, and with 1 on any finding.

CHAOS_SEED fixes the order of the troubles and of the injuries, not how they meet with play.
"""

import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

from tests.chaos.run import Run
from tests.chaos.summary import report, summary
from tests.chaos.tables import TABLES


def main() -> int:
    seconds = float(os.environ.get("CHAOS_S") or 600)
    seed = int(os.environ.get("CHAOS_SEED") or secrets.randbelow(10**6))
    folder = Path(tempfile.mkdtemp(prefix="ginservice-chaos-"))
    run = Run(folder / "data", TABLES * 2, seed, say=lambda text: print(text, flush=True))
    findings = run.go(seconds)
    report(run)
    if findings:
        print(f"The logs of all processes stay in {run.data_dir}.")
    else:
        shutil.rmtree(folder)
    print(summary(run))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
