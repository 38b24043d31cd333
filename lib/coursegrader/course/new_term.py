"""A new term: a course folder with configuration, problem sets, dates and students, ready for nbgrader."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

from coursegrader.course.configuration import open_course
from coursegrader.course.dates import as_utc, moment, zone_of
from coursegrader.course.place import look_at_place
from coursegrader.course.problem_set import ProblemSet, all_problem_sets
from coursegrader.course.roster import enter, read_roster
from coursegrader.course.secret import make_secret
from coursegrader.course.website import link_to, setting, whole_address
from coursegrader.errors import UserError

CONFIGURATION = '''"""This course's configuration: it sets all that nbgrader and coursegrader do here."""

from coursegrader.course import configure

c = get_config()  # noqa: F821
configure(c)
c.CourseDirectory.course_id = {course_id!r}
{exchange}{site}{zone}
# The gradebook is the file gradebook.db here. For several graders at once, use PostgreSQL:
# c.CourseDirectory.db_url = "postgresql+psycopg://USER@HOST/DATABASE"

# Late work is graded in full, and shown as late. To take 10 percent of the points possible for each day
# begun ("hour": each hour; "zero": no points at all), at most 50, after 3 free days a student and term:
# c.LatePenalty.penalty_method = "day"
# c.LatePenalty.percent, c.LatePenalty.most, c.LatePenalty.grace_days = 10, 50, 3
'''


@dataclass(frozen=True)
class Term:
    """What has been set up: the folder, each problem set's due date or None, and the number of students."""

    folder: Path
    due: dict[str, datetime | None]
    n_students: int


def begin(
    folder: Path,
    source: Path,
    course_id: str | None = None,
    only: list[str] | None = None,
    first_due: str | None = None,
    every: int = 7,
    due_time: str = "23:59",
    zone: str | None = None,
    roster: Path | None = None,
    exchange: Path | None = None,
    site: str | None = None,
    account: str | None = None,
) -> Term:
    """Make the course folder `folder` of the problem sets in `source`. All of it, or nothing.

    first_due: the day (YYYY-MM-DD) on which the first problem set is due; each next one `every` days later,
    at `due_time` (HH:MM) in the time zone `zone` (such as Europe/Zurich; this machine's own unless given).
    Without it, nothing is due.
    site: the address of the course's website, to which the problem sets' links then lead.
    account: the roster's column that holds the accounts, where it is not one of the usual.
    Raises UserError where a part cannot be used, before anything is written.
    """
    folder = folder.absolute()
    look_at_place(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(
            f"{folder} is there already and not empty: name another folder. (A course that "
            "runs keeps its folder; only new terms need this command.)"
        )
    name = course_id or folder.name
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise UserError(
            f"{name!r} cannot name a course in nbgrader's exchange: use letters, digits, _ "
            "and -, with --course-id."
        )
    address = None if site is None else whole_address(site)
    chosen = _chosen_problem_sets(source, only)
    due = _due_dates([item.name for item in chosen], first_due, every, due_time, zone)
    people = read_roster(roster, account) if roster else []
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        make_secret(scratch)
        for item in chosen:
            shutil.copytree(
                item.folder,
                scratch / "solutions" / item.name,
                ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"),
            )
            item.hand_on(scratch)
            if address is not None:
                link_to(address, ProblemSet(scratch, item.name))
        book = "" if address is None else setting(address)
        line = "" if exchange is None else f"c.Exchange.root = {str(exchange.absolute())!r}\n"
        where = "" if zone is None else f"c.CourseDates.zone = {zone!r}\n"
        (scratch / "nbgrader_config.py").write_text(
            CONFIGURATION.format(course_id=name, exchange=line, site=book, zone=where), encoding="utf-8"
        )
        with open_course(scratch) as api, api.gradebook as gradebook:
            for problem_set, when in due.items():
                gradebook.update_or_create_assignment(problem_set, duedate=as_utc(when) if when else None)
            enter(gradebook, people)
        scratch.chmod(0o750)
        if folder.exists():
            folder.rmdir()
        os.replace(scratch, folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    return Term(folder, due, len(people))


def _chosen_problem_sets(source: Path, only: list[str] | None) -> list[ProblemSet]:
    known = {item.name: item for item in all_problem_sets(source)}
    if not known:
        raise UserError(
            f"There are no problem sets with a rubric in {source / 'solutions'}: say where "
            "the project is, with --root."
        )
    if missing := [name for name in only or () if name not in known]:
        raise UserError(f"There is no problem set {', '.join(missing)}. There are: {', '.join(known)}.")
    chosen = [known[name] for name in sorted(only)] if only else list(known.values())
    for item in chosen:
        item.verify()
    return chosen


def _due_dates(
    names: list[str], first_due: str | None, every: int, due_time: str, zone: str | None
) -> dict[str, datetime | None]:
    where = zone_of(zone)
    if first_due is None:
        return dict.fromkeys(names)
    try:
        first, clock = date.fromisoformat(first_due), time.fromisoformat(due_time)
    except ValueError as error:
        raise UserError(
            f"A date is written as 2027-02-28 and a time as 23:59; got {first_due!r} and {due_time!r}."
        ) from error
    if every < 1:
        raise UserError(f"Problem sets are due at least a day apart, but every {every} days was asked for.")
    try:
        days = [first + timedelta(days=every * number) for number in range(len(names))]
    except OverflowError as error:
        raise UserError(f"From {first_due} on, every {every} days is beyond the calendar.") from error
    return {name: moment(day, clock, where) for name, day in zip(names, days)}
