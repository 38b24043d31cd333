"""Write, prove and release problem sets: release, try, certify, show, sweep, new-exercise."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from coursegrader.cli.arguments import course_folder, name_of_set, problem_set_of
from coursegrader.errors import UserError


def add_release(command) -> None:
    parser = command("release", _release, "Write the students' notebook and the public fingerprints.")
    parser.add_argument(
        "--check", action="store_true", help=("write nothing; say whether the committed files are in step")
    )


def _release(options) -> int:
    from coursegrader.course.points_in_words import wrong_points
    from coursegrader.course.release import out_of_step, release

    problem_set = problem_set_of(options)
    if options.check:
        problems = out_of_step(problem_set)
        for problem in problems:
            print(f"out of step: {problem} (run: coursegrader release {problem_set.name})", file=sys.stderr)
        return 1 if problems else 0
    for path in dict.fromkeys(release(problem_set)):
        print(f"wrote {path}")
    for line in wrong_points(problem_set.notebook):
        print(f"note: {line}; mend the text, and release it again", file=sys.stderr)
    return 0


def add_try(command) -> None:
    parser = command(
        "try", _try, "Give the verdict on implementations: one JSON line for each file, in order."
    )
    parser.add_argument("exercise")
    parser.add_argument("files", nargs="+", type=Path)


def _try(options) -> int:
    from coursegrader.authoring.try_files import try_files

    problem_set, broken = problem_set_of(options), 0
    for verdict in try_files(problem_set, [(options.exercise, path) for path in options.files]):
        record = verdict.as_dict()
        print(
            json.dumps(
                {key: record[key] for key in ("passed", "points", "max_points", "misconception", "message")},
                ensure_ascii=False,
            ),
            flush=True,
        )
        broken += verdict.misconception == "does-not-import"
    if broken:
        print(
            (f"coursegrader: {broken} of {len(options.files)} files cannot be imported; see their messages."),
            file=sys.stderr,
        )
    return 1 if broken else 0


def add_certify(command) -> None:
    parser = command(
        "certify",
        _certify,
        "Prove that a rubric accepts what is right and names what is wrong.",
        problem_set=False,
    )
    parser.add_argument("problem_set", metavar="NN-name", nargs="?", type=name_of_set)
    parser.add_argument(
        "--exercise",
        action="append",
        default=[],
        help="only this exercise, and write no page (may be repeated)",
    )


def _certify(options) -> int:
    from coursegrader.authoring.certified_page import write_page
    from coursegrader.authoring.certify import certify, matrix
    from coursegrader.authoring.local_page import write_local_page
    from coursegrader.authoring.sweep_figures import out_of_date
    from coursegrader.authoring.unfinished import unfinished
    from coursegrader.course.points_in_words import wrong_points
    from coursegrader.course.problem_set import all_problem_sets

    root = options.root.resolve()
    chosen = [problem_set_of(options)] if options.problem_set else all_problem_sets(root)
    if options.exercise and not options.problem_set:
        raise UserError(
            "--exercise needs the name of its problem set: coursegrader certify NN-name --exercise NAME"
        )
    if not chosen:
        raise UserError(f"there are no rubrics in {root / 'solutions'}")
    faults = 0
    for problem_set in chosen:
        rows = certify(problem_set, options.exercise)
        print(matrix(rows))
        missing = unfinished(problem_set, options.exercise)
        for line in missing:
            print(f"FAIL  {line}")
        for line in (*wrong_points(problem_set.notebook), *out_of_date(problem_set, options.exercise)):
            print(f"note  {line}")
        faults += (found := len(missing) + sum(row.fault() is not None for row in rows))
        print(f"{problem_set.name}: {len(rows)} versions, {found} faults")
        if not found and not options.exercise:
            print(f"wrote {write_page(problem_set, rows)}")
            print(f"wrote {write_local_page(problem_set, rows)}")
    return 1 if faults else 0


def add_show(command) -> None:
    parser = command(
        "show", _show, ("Show the versions of a rubric: each as a difference to a right one, or one whole.")
    )
    parser.add_argument("exercise")
    parser.add_argument("label", nargs="?", help="only this version, whole (default: list all, by mistake)")


def _show(options) -> int:
    from coursegrader.authoring.show import show

    print(show(problem_set_of(options), options.exercise, options.label, colour=sys.stdout.isatty()))
    return 0


def add_sweep(command) -> None:
    parser = command(
        "sweep",
        _sweep,
        "Change right versions a little, one change at a time, and see whether the probes notice.",
    )
    parser.add_argument(
        "--exercise", action="append", default=[], help="only this exercise (may be repeated)"
    )


def _sweep(options) -> int:
    from coursegrader.authoring.sweep import sweep
    from coursegrader.authoring.sweep_figures import HEAD, Swept, figures, idle_rules, line
    from coursegrader.rubric.sweep.stored import write_sweep

    problem_set, rows, idle = problem_set_of(options), [], []
    print(HEAD, flush=True)
    for found in sweep(problem_set, options.exercise, progress=sys.stderr.isatty()):
        exercise = problem_set.exercise(found[0].exercise)
        counted = figures(found)
        print(line(exercise.name, counted), flush=True)
        told = [row.told for row in found if row.told]
        write_sweep(problem_set.rubric_path, exercise, asdict(counted), told)
        idle += idle_rules(exercise, found)
        rows += found
    print(line("all", figures(rows)))
    left: list[Swept] = [row for row in rows if row.unexplained]
    for row in left:
        print(f"\n{row.shown()}")
    for text in idle:
        print(f"\n{text}")
    if left:
        print(
            "\nAdd a probe that shows the difference, or say why there is none: "
            'exercise.equal("the reason", {"old": "new"})'
        )
    return 1 if left or idle else 0


def add_new_exercise(command) -> None:
    parser = command(
        "new-exercise",
        _new_exercise,
        ("Begin an exercise: cells in the notebook and a rubric that certify refuses until it has evidence."),
    )
    parser.add_argument("exercise")


def _new_exercise(options) -> int:
    from coursegrader.authoring.new_exercise import begin
    from coursegrader.course.problem_set import ProblemSet

    problem_set = ProblemSet(course_folder(options), options.problem_set)
    for path in begin(problem_set, options.exercise):
        print(f"wrote {path}")
    print(
        f"Write the reference, probes and evidence, then: coursegrader certify {options.problem_set} "
        f"--exercise {options.exercise}"
    )
    return 0
