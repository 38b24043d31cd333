"""Take submissions in and grade them: collect, grade."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from coursegrader.cli.arguments import positive, problem_set_of
from coursegrader.text import counted

if TYPE_CHECKING:
    from coursegrader.sandbox.fork_client import ForkServer


def add_collect(command) -> None:
    parser = command(
        "collect",
        _collect,
        (
            "Take in submissions from a folder or a zip as Canvas or Moodle "
            "export it, or with one folder for each student."
        ),
    )
    parser.add_argument("source", type=Path, metavar="FOLDER_OR_ZIP")
    parser.add_argument(
        "--times",
        type=Path,
        metavar="CSV",
        help="when each was handed in: Moodle's grading worksheet, or your own table with id and time",
    )


def _collect(options) -> int:
    from coursegrader.grading.due_dates import settle_all
    from coursegrader.submissions.lms_import import collect
    from coursegrader.submissions.times import has_time, note_times

    problem_set = problem_set_of(options)
    problem_set.verify()
    results = collect(problem_set, options.source)
    for result in results:
        if result.problem:
            print(f"{result.student:40} left out: {result.problem}")
        elif result.outcome != "unchanged":
            print(f"{result.student:40} {result.outcome}{', late' if result.late else ''}")
    count = {
        outcome: sum(result.outcome == outcome for result in results)
        for outcome in ("new", "again", "unchanged", "problem")
    }
    print(
        f"{count['new']} new, {count['again']} handed in again, {count['unchanged']} unchanged, "
        f"{count['problem']} left out. Next: coursegrader grade {problem_set.name}"
    )
    problems = [result.problem for result in results if result.problem]
    if any("roster" in problem or "account" in problem for problem in problems):
        print(
            "Where it is not seen whose a file is, put it into a folder named after the student's account, "
            "and collect the folder around it."
        )
    unusable, now_unknown = [], [result.student for result in results if result.lost_time]
    if options.times:
        noted, unusable = note_times(problem_set, options.times)
        settle_all(problem_set.root)
        print(f"The time of {counted(noted, 'submission')} is known from {options.times.name}.")
        for line in unusable:
            print(f"{options.times.name}, {line}")
    now_unknown = [who for who in now_unknown if not has_time(problem_set, who)]
    if now_unknown:
        print(
            f"When these were handed in again is not known, so they do not count as late: "
            f"{', '.join(now_unknown)}. Collect once more, with --times and a newer table."
        )
    return 1 if count["problem"] or unusable else 0


def add_grade(command) -> None:
    parser = command("grade", _grade, "Grade what is in submitted/.")
    parser.add_argument("--force", action="store_true", help="grade unchanged submissions again")
    parser.add_argument("--student", action="append", help="only this student (may be repeated)")
    parser.add_argument(
        "--workers", type=positive, help=("notebooks to run at once on this machine (default: one a core)")
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=("run notebooks on the workers of this dask scheduler, such as tcp://host:8786"),
    )
    parser.add_argument(
        "--no-jail",
        action="store_true",
        help=("run submissions without a jail: they can then read and write what you can"),
    )


def _grade(options) -> int:
    from coursegrader.sandbox.fork_client import ForkServer

    server = ForkServer()
    if not options.scheduler:
        server.begin()  # it warms up while this process imports what it needs itself
    try:
        return _grade_with(server, options)
    finally:
        server.stop()


def _grade_with(server: ForkServer, options) -> int:
    from coursegrader.grading.grade import grade
    from coursegrader.grading.moved_scores import in_words
    from coursegrader.sandbox.fork_client import why_no_jail
    from coursegrader.sandbox.provisioner import ENVIRONMENT as NO_JAIL

    problem_set = problem_set_of(options)
    if options.no_jail:
        os.environ[NO_JAIL] = "1"
    if os.environ.get(NO_JAIL):
        print("Grading WITHOUT a jail: submissions can read and write whatever you can.")
    elif options.scheduler is None and (reason := why_no_jail()) is not None:
        print(f"coursegrader: {reason}", file=sys.stderr)
        return 2
    results = grade(
        problem_set,
        force=options.force,
        students=options.student,
        workers=options.workers,
        scheduler=options.scheduler,
        server=server,
    )
    for result in results:
        if result.problem:
            print(f"{result.student:24} not graded: {result.problem}")
        else:
            late = f" ({result.score:g} less {result.penalty:g} for being late)" if result.penalty else ""
            score = max(0.0, result.score - result.penalty)
            print(
                f"{result.student:24} {score:g} of {result.max_score:g}{late}"
                f"{'  (unchanged, kept)' if result.skipped else ''}"
            )
    for result in results:
        for line in result.taken_back:
            print(f"{result.student}: {line}.")
    if moved := [row for result in results for row in result.moves]:
        count = counted(len(moved), "result")
        print(
            f"\n{count} moved since {'it was' if len(moved) == 1 else 'they were'} last graded (all of them: "
            f"reports/{problem_set.name}/moved.csv):"
        )
        for row in moved:
            print(in_words(row))
    failed = sum(result.problem is not None for result in results)
    if waiting := sum(result.waiting for result in results):
        print(
            f"{waiting} {'waits' if waiting == 1 else 'wait'} to be marked by hand: "
            f"coursegrader mark {problem_set.name}"
        )
    print(
        f"{len(results) - failed} graded, {failed} not graded. Next: coursegrader report {problem_set.name}"
    )
    return 1 if failed else 0
