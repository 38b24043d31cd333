"""Papers of questions about one's own code: defend."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from coursegrader.cli.arguments import positive, problem_set_of


def add_defend(command) -> None:
    parser = command(
        "defend",
        _defend,
        "Make for each student who handed in a short paper of questions about the code that they handed in.",
    )
    parser.add_argument("--student", action="append", help="only this student (may be repeated)")
    parser.add_argument("--questions", type=positive, default=6, help="questions on a paper (default: 6)")
    parser.add_argument(
        "--seating",
        type=Path,
        metavar="FILE",
        help="who sits where, so that neighbours are asked different things: a CSV, a line for each row of "
        "accounts (default: the one given before, else one row in the order of last names)",
    )
    parser.add_argument("--force", action="store_true", help="make papers again that are there already")
    parser.add_argument(
        "--workers", type=positive, help="students at once on this machine (default: one a core)"
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="use the workers of this dask scheduler, such as tcp://host:8786",
    )


def _defend(options) -> int:
    from coursegrader.defence.defend import defend, summary
    from coursegrader.sandbox.fork_client import why_no_jail
    from coursegrader.sandbox.provisioner import ENVIRONMENT as NO_JAIL

    problem_set = problem_set_of(options)
    problem_set.verify()
    os.environ.pop(NO_JAIL, None)  # students' code is run in the jail only
    if options.scheduler is None and (reason := why_no_jail()) is not None:
        print(f"coursegrader: {reason}", file=sys.stderr)
        return 2
    results = defend(
        problem_set,
        students=options.student,
        questions=options.questions,
        force=options.force,
        workers=options.workers,
        scheduler=options.scheduler,
        seating=options.seating,
    )
    print(summary(problem_set, results))
    return 1 if any(result.problem for result in results) else 0
