"""The command line of the grader. Errors go to standard error in one line or a short list, with an exit code that is not 0."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from coursegrader.rubric import RubricError


def main(arguments: list[str] | None = None) -> None:
    """Run one subcommand; exit 0 when all is well, 1 when something was found wrong, 2 on bad input."""
    options = _parser().parse_args(arguments)
    try:
        code = options.run(options)
    except (RubricError, OSError) as error:
        print(f"coursegrader: {error}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("coursegrader: stopped; finished work is kept. Run the same command to go on.", file=sys.stderr)
        code = 130
    sys.exit(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="coursegrader", description="Release, try, certify, grade and report problem sets.")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the course folder, which holds solutions/ (default: here)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name, run, text, problem_set=True):
        sub = commands.add_parser(name, help=text, description=text)
        if problem_set:
            sub.add_argument("problem_set", metavar="NN-name")
        sub.set_defaults(run=run)
        return sub

    sub = command("release", _release, "Write the students' notebook and the public fingerprints.")
    sub.add_argument("--check", action="store_true", help="write nothing; say whether the committed files are in step")
    sub = command("try", _try, "Give the verdict on implementations: one JSON line a file, in order.")
    sub.add_argument("exercise")
    sub.add_argument("files", nargs="+", type=Path)
    sub = command("certify", _certify, "Prove that a rubric accepts what is right and names what is wrong.", problem_set=False)
    sub.add_argument("problem_set", metavar="NN-name", nargs="?")
    sub.add_argument("--exercise", action="append", default=[], help="only this exercise, and write no page (may be repeated)")
    sub = command("grade", _grade, "Grade what is in submitted/.")
    sub.add_argument("--force", action="store_true", help="grade unchanged submissions again")
    sub.add_argument("--student", action="append", help="only this student (may be repeated)")
    sub.add_argument("--workers", type=_positive, help="notebooks to run at once on this machine (default: one a core)")
    sub.add_argument("--scheduler", metavar="ADDRESS", help="run notebooks on the workers of this dask scheduler, such as tcp://host:8786")
    sub.add_argument("--no-jail", action="store_true", help="run submissions without a jail: they can then read and write what you can")
    command("report", _report, "Summarise a graded class: scores, difficulty, shared mistakes.")
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is expected, but got {text!r}")
    return int(text)


def _problem_set(options):
    from coursegrader.problemset import ProblemSet

    return ProblemSet(options.root.resolve(), options.problem_set)


def _release(options) -> int:
    from coursegrader.release import out_of_step, release

    problem_set = _problem_set(options)
    if options.check:
        problems = out_of_step(problem_set)
        for problem in problems:
            print(f"out of step: {problem} (run: coursegrader release {problem_set.name})", file=sys.stderr)
        return 1 if problems else 0
    for path in release(problem_set):
        print(f"wrote {path}")
    return 0


def _try(options) -> int:
    from coursegrader.trial import try_files

    problem_set, broken = _problem_set(options), 0
    for verdict in try_files(problem_set, [(options.exercise, path) for path in options.files]):
        record = verdict.as_dict()
        print(json.dumps({key: record[key] for key in ("passed", "points", "max_points", "misconception", "message")}, ensure_ascii=False),
              flush=True)
        broken += verdict.misconception == "does-not-import"
    if broken:
        print(f"coursegrader: {broken} of {len(options.files)} files cannot be imported; see their messages.", file=sys.stderr)
    return 1 if broken else 0


def _certify(options) -> int:
    from coursegrader.certify import certify, matrix, write_page
    from coursegrader.problemset import all_problem_sets

    root = options.root.resolve()
    chosen = [_problem_set(options)] if options.problem_set else all_problem_sets(root)
    if options.exercise and not options.problem_set:
        raise RubricError("--exercise needs the name of its problem set: coursegrader certify NN-name --exercise NAME")
    if not chosen:
        raise RubricError(f"there are no rubrics in {root / 'solutions'}")
    faults = 0
    for problem_set in chosen:
        rows = certify(problem_set, options.exercise)
        print(matrix(rows))
        faults += (found := sum(row.fault() is not None for row in rows))
        print(f"{problem_set.name}: {len(rows)} versions, {found} faults")
        if not found and not options.exercise:
            print(f"wrote {write_page(problem_set, rows)}")
    return 1 if faults else 0


def _grade(options) -> int:
    from coursegrader.forkserver import why_no_jail
    from coursegrader.grade import grade
    from coursegrader.provisioner import ENVIRONMENT as NO_JAIL

    problem_set = _problem_set(options)
    if options.no_jail:
        os.environ[NO_JAIL] = "1"
    if os.environ.get(NO_JAIL):
        print("Grading WITHOUT a jail: submissions can read and write whatever you can.")
    elif options.scheduler is None and (reason := why_no_jail()) is not None:
        print(f"coursegrader: {reason}", file=sys.stderr)
        return 2
    results = grade(problem_set, force=options.force, students=options.student, workers=options.workers, scheduler=options.scheduler)
    for result in results:
        if result.problem:
            print(f"{result.student:24} not graded: {result.problem}")
        else:
            print(f"{result.student:24} {result.score:g} of {result.max_score:g}{'  (unchanged, kept)' if result.skipped else ''}")
    failed = sum(result.problem is not None for result in results)
    print(f"{len(results) - failed} graded, {failed} not graded. Next: coursegrader report {problem_set.name}")
    return 1 if failed else 0


def _report(options) -> int:
    from coursegrader.report import report

    text, files = report(_problem_set(options))
    print(text)
    for path in files:
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    main()
