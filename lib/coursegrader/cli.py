"""The grader's command line. Errors go to standard error, a line or a short list; the exit code is not 0."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

from coursegrader.errors import UserError


def main(arguments: list[str] | None = None) -> None:
    """Run one subcommand; exit 0 when all is well, 1 when something was found wrong, 2 on bad input."""
    options = _parser().parse_args(arguments)
    # before torch is imported: small matrices on several threads cost several times as much
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        code = options.run(options)
    except (UserError, OSError) as error:
        # of many files, the first
        text = (
            error.args[0][0][2]
            if isinstance(error, shutil.Error) and isinstance(error.args[0], list)
            else error
        )
        print(f"coursegrader: {text}{_advice(error)}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("coursegrader: stopped; finished work is kept. Run the same command to go on.", file=sys.stderr)
        code = 130
    except Exception as error:
        if not (advice := _advice(error)):
            raise
        print(f"coursegrader:{advice}", file=sys.stderr)
        code = 2
    sys.exit(code)


def _advice(error: Exception) -> str:
    """What to do about a locked gradebook or a full disk; empty where that is not the trouble."""
    from coursegrader.grading.trouble import what_to_do

    return f" {advice}" if (advice := what_to_do(str(error))) else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="coursegrader", description="Release, try, certify, grade and report problem sets."
    )
    parser.add_argument(
        "--root",
        type=Path,
        default=Path.cwd(),
        help="the course folder, which holds solutions/ (default: here)",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name, run, text, problem_set=True):
        sub = commands.add_parser(name, help=text, description=text)
        if problem_set:
            sub.add_argument("problem_set", metavar="NN-name")
        sub.set_defaults(run=run)
        return sub

    sub = command("release", _release, "Write the students' notebook and the public fingerprints.")
    sub.add_argument(
        "--check", action="store_true", help=("write nothing; say whether the committed files are in step")
    )
    sub = command("try", _try, "Give the verdict on implementations: one JSON line for each file, in order.")
    sub.add_argument("exercise")
    sub.add_argument("files", nargs="+", type=Path)
    sub = command(
        "certify",
        _certify,
        "Prove that a rubric accepts what is right and names what is wrong.",
        problem_set=False,
    )
    sub.add_argument("problem_set", metavar="NN-name", nargs="?")
    sub.add_argument(
        "--exercise",
        action="append",
        default=[],
        help="only this exercise, and write no page (may be repeated)",
    )
    sub = command(
        "show", _show, ("Show the versions of a rubric: each as a difference to a right one, or one whole.")
    )
    sub.add_argument("exercise")
    sub.add_argument("label", nargs="?", help="only this version, whole (default: list all, by mistake)")
    sub = command(
        "sweep",
        _sweep,
        "Change right versions a little, one change at a time, and see whether the probes notice.",
    )
    sub.add_argument("--exercise", action="append", default=[], help="only this exercise (may be repeated)")
    sub = command("grade", _grade, "Grade what is in submitted/.")
    sub.add_argument("--force", action="store_true", help="grade unchanged submissions again")
    sub.add_argument("--student", action="append", help="only this student (may be repeated)")
    sub.add_argument(
        "--workers", type=_positive, help=("notebooks to run at once on this machine (default: one a core)")
    )
    sub.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=("run notebooks on the workers of this dask scheduler, such as tcp://host:8786"),
    )
    sub.add_argument(
        "--no-jail",
        action="store_true",
        help=("run submissions without a jail: they can then read and write what you can"),
    )
    sub = command("report", _report, "Summarise a graded class: scores, difficulty, shared mistakes.")
    sub.add_argument(
        "--unfinished",
        action="store_true",
        help="write the files for Canvas and Moodle though answers wait to be marked: without these scores",
    )
    sub = command(
        "init",
        _init,
        ("Set up a new term: a course folder with configuration, problem sets, dates and students."),
        problem_set=False,
    )
    sub.add_argument("folder", type=Path, metavar="DIR", help="the new course folder")
    sub.add_argument(
        "--course-id", help=("the course's name in nbgrader's exchange (default: the folder's name)")
    )
    sub.add_argument(
        "--problem-set",
        action="append",
        metavar="NN-name",
        help="only this problem set (may be repeated; default: all)",
    )
    sub.add_argument(
        "--first-due",
        "--start",
        metavar="YYYY-MM-DD",
        help="the first due date: the day on which the first problem set is due",
    )
    sub.add_argument(
        "--every",
        type=_positive,
        default=7,
        metavar="DAYS",
        help="from one due date to the next (default: 7)",
    )
    sub.add_argument("--due-time", default="23:59", metavar="HH:MM")
    sub.add_argument("--zone", help="time zone of the dates, such as Europe/Zurich (default: this machine's)")
    sub.add_argument("--roster", type=Path, metavar="CSV", help="the students; see coursegrader roster")
    sub.add_argument("--account", metavar="COLUMN", help="the roster's column that holds the accounts")
    sub.add_argument(
        "--exchange", type=Path, metavar="DIR", help="nbgrader's exchange folder (default: nbgrader's own)"
    )
    sub.add_argument(
        "--site",
        metavar="URL",
        help=("the address of the course's website, for the links in the problem sets"),
    )
    sub = command(
        "roster",
        _roster,
        ("Enter students from a CSV file: your own with the column id, or an export of Canvas or Moodle."),
        problem_set=False,
    )
    sub.add_argument("file", type=Path, metavar="CSV")
    sub.add_argument(
        "--account",
        metavar="COLUMN",
        help="the column that holds the accounts (default: id, Username, or Canvas's SIS Login ID)",
    )
    sub = command(
        "collect",
        _collect,
        (
            "Take in submissions from a folder or a zip as Canvas or Moodle "
            "export it, or with one folder for each student."
        ),
    )
    sub.add_argument("source", type=Path, metavar="FOLDER_OR_ZIP")
    sub = command(
        "new-exercise",
        _new_exercise,
        ("Begin an exercise: cells in the notebook and a rubric that certify refuses until it has evidence."),
    )
    sub.add_argument("exercise")
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is expected, but got {text!r}")
    return int(text)


def _course_folder(options) -> Path:
    """The course folder, which is looked for before anything is written into another."""
    root = options.root.resolve()
    if not (root / "solutions").is_dir():
        raise UserError(
            f"{root} is not a course folder: it has no folder solutions. Go into the one that coursegrader "
            "init made, or name it: coursegrader --root FOLDER ..."
        )
    return root


def _problem_set(options):
    from coursegrader.course.problem_set import ProblemSet

    problem_set = ProblemSet(_course_folder(options), options.problem_set)
    problem_set.look()
    return problem_set


def _release(options) -> int:
    from coursegrader.course.release import out_of_step, release

    problem_set = _problem_set(options)
    if options.check:
        problems = out_of_step(problem_set)
        for problem in problems:
            print(f"out of step: {problem} (run: coursegrader release {problem_set.name})", file=sys.stderr)
        return 1 if problems else 0
    for path in dict.fromkeys(release(problem_set)):
        print(f"wrote {path}")
    return 0


def _try(options) -> int:
    from coursegrader.authoring.try_files import try_files

    problem_set, broken = _problem_set(options), 0
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


def _certify(options) -> int:
    from coursegrader.authoring.certify import certify, matrix, write_page
    from coursegrader.authoring.local_page import write_local_page
    from coursegrader.authoring.sweep_figures import out_of_date
    from coursegrader.authoring.unfinished import unfinished
    from coursegrader.course.problem_set import all_problem_sets

    root = options.root.resolve()
    chosen = [_problem_set(options)] if options.problem_set else all_problem_sets(root)
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
        for line in out_of_date(problem_set, options.exercise):
            print(f"note  {line}")
        faults += (found := len(missing) + sum(row.fault() is not None for row in rows))
        print(f"{problem_set.name}: {len(rows)} versions, {found} faults")
        if not found and not options.exercise:
            print(f"wrote {write_page(problem_set, rows)}")
            print(f"wrote {write_local_page(problem_set, rows)}")
    return 1 if faults else 0


def _show(options) -> int:
    from coursegrader.authoring.show import show

    print(show(_problem_set(options), options.exercise, options.label, colour=sys.stdout.isatty()))
    return 0


def _sweep(options) -> int:
    from coursegrader.authoring.sweep import sweep
    from coursegrader.authoring.sweep_figures import HEAD, Swept, figures, idle_rules, line, write_figures

    problem_set, rows, idle = _problem_set(options), [], []
    print(HEAD, flush=True)
    for found in sweep(problem_set, options.exercise, progress=sys.stderr.isatty()):
        exercise = problem_set.exercise(found[0].exercise)
        counted = figures(found)
        print(line(exercise.name, counted), flush=True)
        write_figures(problem_set, exercise, counted)
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


def _grade(options) -> int:
    from coursegrader.grading.grade import grade
    from coursegrader.grading.moved_scores import in_words
    from coursegrader.sandbox.fork_client import why_no_jail
    from coursegrader.sandbox.provisioner import ENVIRONMENT as NO_JAIL

    problem_set = _problem_set(options)
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
    )
    for result in results:
        if result.problem:
            print(f"{result.student:24} not graded: {result.problem}")
        else:
            print(
                f"{result.student:24} {result.score:g} of "
                f"{result.max_score:g}{'  (unchanged, kept)' if result.skipped else ''}"
            )
    if moved := [row for result in results for row in result.moves]:
        print(
            f"\n{len(moved)} verdicts moved since they were last graded (all of them: "
            f"reports/{problem_set.name}/moved.csv):"
        )
        for row in moved:
            print(in_words(row))
    failed = sum(result.problem is not None for result in results)
    if waiting := sum(result.waiting for result in results):
        print(
            f"{waiting} {'waits' if waiting == 1 else 'wait'} to be marked by hand: "
            "jupyter lab, menu Nbgrader, Formgrader"
        )
    print(
        f"{len(results) - failed} graded, {failed} not graded. Next: coursegrader report {problem_set.name}"
    )
    return 1 if failed else 0


def _report(options) -> int:
    from coursegrader.reporting.report import report

    text, files = report(_problem_set(options), options.unfinished)
    print(text)
    for path in files:
        print(f"wrote {path}")
    return 0


def _init(options) -> int:
    from coursegrader.course.configuration import SITE
    from coursegrader.course.new_term import begin

    term = begin(
        options.folder,
        options.root.resolve(),
        options.course_id,
        options.problem_set,
        options.first_due,
        options.every,
        options.due_time,
        options.zone,
        options.roster,
        options.exchange,
        options.site,
        options.account,
    )
    print(
        f"The course is in {term.folder}: {_counted(len(term.due), 'problem set')}, "
        f"{_counted(term.n_students, 'student')}."
    )
    for name, moment in term.due.items():
        print(f"  {name:24} {moment.strftime('due %a %Y-%m-%d %H:%M %Z') if moment else 'no due date'}")
    if options.site is None:
        print(
            f"Without --site, links in problem sets and feedback lead to {SITE}, which works only where "
            "`make serve` runs. To mend it, begin anew with --site URL."
        )
    first = next(iter(term.due))
    print(f"Next: cd {term.folder}; coursegrader release {first}; nbgrader release_assignment {first}")
    return 0


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _roster(options) -> int:
    from coursegrader.course.configuration import open_course
    from coursegrader.course.roster import enter, read_roster

    root = _course_folder(options)
    people = read_roster(options.file, options.account)
    with open_course(root) as api, api.gradebook as gradebook:
        new, known = enter(gradebook, people)
        left = sorted({student.id for student in gradebook.students} - {person.id for person in people})
    print(
        f"{new} {'student is' if new == 1 else 'students are'} new, "
        f"{known} {'was' if known == 1 else 'were'} there already."
    )
    if left:
        print(f"In the gradebook but not in {options.file.name}, and left as they are: {', '.join(left)}")
    return 0


def _collect(options) -> int:
    from coursegrader.submissions.lms_import import collect

    problem_set = _problem_set(options)
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
    if count["problem"]:
        print(
            "What is left out: put each file into a folder named after the student's account, and "
            "collect the folder around it."
        )
    return 1 if count["problem"] else 0


def _new_exercise(options) -> int:
    from coursegrader.authoring.new_exercise import begin
    from coursegrader.course.problem_set import ProblemSet

    problem_set = ProblemSet(_course_folder(options), options.problem_set)
    for path in begin(problem_set, options.exercise):
        print(f"wrote {path}")
    print(
        f"Write the reference, probes and evidence, then: coursegrader certify {options.problem_set} "
        f"--exercise {options.exercise}"
    )
    return 0


if __name__ == "__main__":
    main()
