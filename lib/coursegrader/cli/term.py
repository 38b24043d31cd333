"""Set up a term, its students and dates: init, site, roster, dates, extend."""

from __future__ import annotations

from pathlib import Path

from coursegrader.cli.arguments import course_folder, name_of_set, positive, problem_set_of
from coursegrader.text import counted


def add_init(command) -> None:
    parser = command(
        "init",
        _init,
        ("Set up a new term: a course folder with configuration, problem sets, dates and students."),
        problem_set=False,
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the new course folder")
    parser.add_argument(
        "--course-id", help=("the course's name in nbgrader's exchange (default: the folder's name)")
    )
    parser.add_argument(
        "--problem-set",
        action="append",
        metavar="NN-name",
        help="only this problem set (may be repeated; default: all)",
    )
    parser.add_argument(
        "--first-due",
        "--start",
        metavar="YYYY-MM-DD",
        help="the first due date: the day on which the first problem set is due",
    )
    parser.add_argument(
        "--every", type=positive, default=7, metavar="DAYS", help="from one due date to the next (default: 7)"
    )
    parser.add_argument("--due-time", default="23:59", metavar="HH:MM")
    parser.add_argument(
        "--zone", help="time zone of the dates, such as Europe/Zurich (default: this machine's)"
    )
    parser.add_argument("--roster", type=Path, metavar="CSV", help="the students; see coursegrader roster")
    parser.add_argument("--account", metavar="COLUMN", help="the roster's column that holds the accounts")
    parser.add_argument(
        "--exchange", type=Path, metavar="DIR", help="nbgrader's exchange folder (default: nbgrader's own)"
    )
    parser.add_argument(
        "--site",
        metavar="URL",
        help=("the address of the course's website, for the links in the problem sets"),
    )


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
        f"The course is in {term.folder}: {counted(len(term.due), 'problem set')}, "
        f"{counted(term.n_students, 'student')}."
    )
    for name, moment in term.due.items():
        print(f"  {name:24} {moment.strftime('due %a %Y-%m-%d %H:%M %Z') if moment else 'no due date'}")
    if options.site is None:
        print(
            f"Without --site, links in problem sets and feedback lead to {SITE}, which works only where "
            "`make serve` runs. To mend it: coursegrader site URL."
        )
    first = next(iter(term.due))
    print(f"Next: cd {term.folder}; coursegrader release {first}; nbgrader release_assignment {first}")
    return 0


def add_roster(command) -> None:
    parser = command(
        "roster",
        _roster,
        ("Enter students from a CSV file: your own with the column id, or an export of Canvas or Moodle."),
        problem_set=False,
    )
    parser.add_argument("file", type=Path, metavar="CSV")
    parser.add_argument(
        "--account",
        metavar="COLUMN",
        help="the column that holds the accounts (default: id, Username, or Canvas's SIS Login ID)",
    )


def _roster(options) -> int:
    from coursegrader.course.configuration import open_course
    from coursegrader.course.roster import enter, read_roster

    root = course_folder(options)
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


def add_site(command) -> None:
    parser = command(
        "site",
        _site,
        "Change the address of the course's website, to which problem sets and feedback link.",
        problem_set=False,
    )
    parser.add_argument("address", metavar="URL")


def _site(options) -> int:
    from coursegrader.course.website import move_site

    changed = move_site(course_folder(options), options.address)
    print(f"Feedback links to {options.address} from now on; pages that are made already keep their links.")
    if changed:
        print(f"The links of these are new: {', '.join(changed)}. Release them again: coursegrader release.")
    return 0


def add_dates(command) -> None:
    parser = command(
        "dates",
        _dates,
        "Show due dates and extensions, or change a due date, in the course's time zone.",
        problem_set=False,
    )
    parser.add_argument("problem_set", metavar="NN-name", nargs="?", type=name_of_set)
    parser.add_argument("date", metavar="DATE", nargs="?", help=DATE)


def _dates(options) -> int:
    from coursegrader.course.configuration import load_config, open_course
    from coursegrader.course.dates import course_zone, extensions, shown
    from coursegrader.grading.due_dates import change_due
    from coursegrader.grading.lateness import Penalties

    root = course_folder(options)
    zone = course_zone(root)
    if options.problem_set:
        problem_set_of(options)
    if options.date:
        _say_moved(change_due(root, options.problem_set, _date(options, zone)))
    granted = extensions(root)
    with open_course(root) as api, api.gradebook as gradebook:
        for item in gradebook.assignments:
            if options.problem_set in (None, item.name):
                print(
                    f"{item.name:24} {f'due {shown(item.duedate, zone)}' if item.duedate else 'no due date'}"
                )
                for student, when in sorted(granted.get(item.name, {}).items()):
                    print(f"  {student:22} until {shown(when, zone)}")
    print(Penalties(load_config(root)).rule)
    print(f"Times are those of {zone or 'this machine'}: c.CourseDates.zone in nbgrader_config.py.")
    return 0


def add_extend(command) -> None:
    parser = command(
        "extend",
        _extend,
        "Give a student more time for a problem set, before or after it is handed in.",
        problem_set=False,
    )
    parser.add_argument("student", metavar="STUDENT")
    parser.add_argument("problem_set", metavar="NN-name", type=name_of_set)
    parser.add_argument("date", metavar="DATE", help=DATE)


DATE = "2027-03-15 (at the same hour as before) or '2027-03-15 18:00'; none: take it away"


def _extend(options) -> int:
    from coursegrader.course.dates import course_zone, shown
    from coursegrader.grading.due_dates import extend

    problem_set_of(options)
    root = course_folder(options)
    zone = course_zone(root)
    when = _date(options, zone)
    _say_moved(extend(root, options.student, options.problem_set, when))
    until = f"has until {shown(when, zone)}" if when else "has no extension"
    print(f"{options.student} {until} for {options.problem_set}.")
    return 0


def _date(options, zone):
    """The date that was typed, as nbgrader keeps it, or None; without an hour, at that of the due date."""
    from coursegrader.course.configuration import open_course
    from coursegrader.course.dates import LAST_MINUTE, as_utc, in_zone, read_date

    if options.date == "none":
        return None
    with open_course(course_folder(options)) as api, api.gradebook as gradebook:
        due = next((item.duedate for item in gradebook.assignments if item.name == options.problem_set), None)
    return as_utc(read_date(options.date, zone, in_zone(due, zone).time() if due else LAST_MINUTE))


def _say_moved(moved) -> None:
    for item in moved:
        print(f"{item.student:24} {item.problem_set}: penalty {item.before:g} -> {item.now:g} points")
