"""What has come of it: report, feedback, overview, passback."""

from __future__ import annotations

from pathlib import Path

from coursegrader.cli.arguments import course_folder, name_of_set, positive, problem_set_of


def add_report(command) -> None:
    parser = command("report", _report, "Summarise a graded class: scores, difficulty, shared mistakes.")
    parser.add_argument(
        "--unfinished",
        action="store_true",
        help="write the files for Canvas and Moodle though answers wait to be marked: without these scores",
    )
    parser.add_argument(
        "--earlier",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="compare answers with those of an earlier term too: its folder, or one with its notebooks; "
        "may be given again",
    )


def _report(options) -> int:
    from coursegrader.reporting.report import report

    text, files = report(problem_set_of(options), options.unfinished, options.earlier)
    print(text)
    for path in files:
        print(f"wrote {path}")
    return 0


def add_feedback(command) -> None:
    parser = command(
        "feedback",
        _feedback,
        "Make every student's page, and one zip of all in the form that an LMS takes back.",
    )
    parser.add_argument(
        "--for",
        dest="form",
        required=True,
        choices=("canvas", "moodle", "folder"),
        help="whose form the zip has; folder: one for each student, by the account",
    )
    parser.add_argument(
        "--unfinished", action="store_true", help="also while answers wait to be marked; their pages say so"
    )


def _feedback(options) -> int:
    from coursegrader.reporting.feedback_zip import feedback_zip

    path, number, unknown = feedback_zip(problem_set_of(options), options.form, options.unfinished)
    print(f"wrote {path}: {number} {'student' if number == 1 else 'students'}")
    if unknown:
        print(
            f"not in it, since their files did not come from {options.form.title()}: {', '.join(unknown)}. "
            f"Send them feedback/STUDENT/{options.problem_set} yourself."
        )
    return 1 if unknown else 0


def add_passback(command) -> None:
    parser = command(
        "passback",
        _passback,
        "Send finished scores to the gradebook of the LMS from which students come to the hub (LTI).",
        problem_set=False,
    )
    parser.add_argument(
        "problem_set",
        metavar="NN-name",
        nargs="?",
        type=name_of_set,
        help="whose scores; without it, show the key that is entered in the LMS once",
    )
    parser.add_argument("--send", action="store_true", help="send them; without it, show what would be sent")
    parser.add_argument(
        "--launches",
        type=Path,
        metavar="FILE",
        default=Path("/srv/course/launches.json"),
        help="what the hub has noted of the LMS (default: /srv/course/launches.json)",
    )


def _passback(options) -> int:
    from coursegrader.reporting.passback import plan, public_key, send

    if options.problem_set is None:
        pem, jwk = public_key(course_folder(options))
        print(f"Public key for Moodle:\n{pem}\nPublic JWK for Canvas:\n{jwk}")
        return 0
    problem_set = problem_set_of(options)
    planned = plan(problem_set, options.launches)
    print(planned)
    if options.send:
        print(f"sent {send(problem_set, planned)}")
    elif planned.scores:
        print(f"Nothing was sent. To send {len(planned.scores)}: add --send")
    return 0


def add_overview(command) -> None:
    parser = command(
        "overview",
        _overview,
        "The term so far: students and problem sets, who is at risk, the mistakes that stay.",
        problem_set=False,
    )
    parser.add_argument(
        "--below",
        type=float,
        default=50,
        metavar="PERCENT",
        help="at risk is who has less than this of the points (default: 50)",
    )
    parser.add_argument(
        "--missing",
        type=positive,
        default=2,
        metavar="N",
        help="at risk is from whom so many problem sets are missing (default: 2)",
    )


def _overview(options) -> int:
    from coursegrader.reporting.overview import Rule, overview

    text, files = overview(course_folder(options), Rule(options.below, options.missing))
    print(text)
    for path in files:
        print(f"wrote {path}")
    return 0
