"""The term at a glance, as a page and a table: who has what, who is at risk, and which mistakes stay."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from markupsafe import Markup

from coursegrader.course.configuration import open_course
from coursegrader.course.dates import course_zone, extensions, shown
from coursegrader.course.problem_set import ProblemSet, all_problem_sets
from coursegrader.errors import UserError
from coursegrader.files import write_whole
from coursegrader.grading.due_dates import settle_all
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.reporting.item_analysis import FAILURES
from coursegrader.reporting.lms_export import Grade, grades, write_table
from coursegrader.reporting.pages import TEXT, anchor, drawing, fold, page, paragraph, share, table
from coursegrader.reporting.status import NOT_HANDED_IN, check_points, is_unreadable
from coursegrader.text import counted

MISSING, NOT_DUE = "missing", "not due yet"


@dataclass(frozen=True)
class Rule:
    """Who is at risk: below this percentage of the points, or from so many missing problem sets on."""

    below: float = 50
    missing: int = 2

    def __str__(self) -> str:
        return (
            f"less than {self.below:g}% of the points of what is graded or missing, or {self.missing} or "
            "more problem sets missing; what could not be graded by its due date is missing too"
        )


@dataclass
class Set:
    """A problem set in the term: its due date (UTC), the points possible, and everybody's grade."""

    name: str
    due: datetime | None
    most: float
    grades: dict[str, Grade]
    granted: dict[str, datetime]
    now: datetime

    def state(self, student: str) -> str:
        """How far a student is with it; "missing" from their own due date on."""
        grade = self.grades.get(student)
        if grade is not None and grade.status != NOT_HANDED_IN:
            return grade.status
        return MISSING if self._is_over(student) else NOT_DUE if self.due else NOT_HANDED_IN

    def lacks(self, student: str) -> bool:
        """Whether nothing that can be graded came by their own due date."""
        state = self.state(student)
        return state == MISSING or is_unreadable(state) and self._is_over(student)

    def _is_over(self, student: str) -> bool:
        return bool(self.due) and max(self.due, self.granted.get(student, self.due)) < self.now

    def has_begun(self) -> bool:
        """Whether there is anything to tell."""
        return any(self.state(student) not in (NOT_DUE, NOT_HANDED_IN) for student in self.grades)


@dataclass
class Standing:
    """A student's term so far. What is missing has no points of those possible; what waits is not counted."""

    grade: Grade  # of the last problem set: who it is
    points: float = 0
    possible: float = 0
    missing: list[str] = field(default_factory=list)

    @property
    def share(self) -> float | None:
        """Of the points possible so far."""
        return self.points / self.possible if self.possible else None

    @property
    def name(self) -> str:
        """Their own name, and their account's."""
        own = " ".join(filter(None, (self.grade.first_name, self.grade.last_name)))
        return f"{own} ({self.grade.student})" if own else self.grade.student

    def risks(self, rule: Rule) -> list[str]:
        """Why this student is at risk by the rule; empty if not."""
        found = []
        if self.share is not None and self.share < rule.below / 100:
            found.append(f"{self.share:.0%} of the points")
        if len(self.missing) >= rule.missing:
            found.append(f"missing: {', '.join(self.missing)}")
        return found


def overview(root: Path, rule: Rule, now: datetime | None = None) -> tuple[str, list[Path]]:
    """Write ``reports/overview.html`` and ``overview.csv``; return a summary, and the files."""
    settle_all(root)
    sets = _sets(root, now or datetime.now(UTC).replace(tzinfo=None))
    begun = [item for item in sets if item.has_begun()]
    if not begun:
        raise UserError("Nothing is graded and nothing is missing yet: there is no term to look at.")
    class_ = _standings(begun)
    folder = root / "reports"
    folder.mkdir(exist_ok=True)
    files = [folder / "overview.html", folder / "overview.csv"]
    write_whole(files[0], _page(root, sets, begun, class_, rule).encode())
    write_table(files[1], _csv(begun, class_, rule))
    at_risk = {student: risks for student, standing in class_.items() if (risks := standing.risks(rule))}
    lines = [
        f"{counted(len(class_), 'student')}, {len(begun)} of {counted(len(sets), 'problem set')}. "
        f"At risk: {rule}."
    ]
    lines += [f"  {student:24} {'; '.join(risks)}" for student, risks in at_risk.items()] or ["  nobody"]
    return "\n".join(lines), files


def _sets(root: Path, now: datetime) -> list[Set]:
    """In the order of their due dates, and then of their names."""
    known, granted = {item.name: item for item in all_problem_sets(root)}, extensions(root)
    with open_course(root) as api, api.gradebook as gradebook:
        due = {
            item.name: item.duedate
            for item in gradebook.assignments
            if item.name in known and item.notebooks  # which it has once it has been released
        }
    sets = []
    for name in sorted(due, key=lambda name: (due[name] or datetime.max, name)):
        check_points(known[name])
        found, most = grades(known[name], {})
        own = {grade.student: grade for grade in found}
        sets.append(Set(name, due[name], most, own, granted.get(name, {}), now))
    return sets


def _standings(begun: list[Set]) -> dict[str, Standing]:
    class_ = {student: Standing(grade) for item in begun for student, grade in sorted(item.grades.items())}
    for item in begun:
        for student, standing in class_.items():
            grade = item.grades.get(student)
            if item.lacks(student):
                standing.missing.append(item.name)
                standing.possible += item.most
            elif grade is not None and grade.final is not None:
                standing.points += grade.final
                standing.possible += item.most
    return dict(sorted(class_.items()))


def _csv(begun: list[Set], class_: dict[str, Standing], rule: Rule) -> list[list]:
    heads = [f"{item.name} {what}" for item in begun for what in ("points", "late", "status")]
    rows = [
        ["student", "first name", "last name", *heads, "points", "possible", "share", "missing", "at risk"]
    ]
    for student, standing in class_.items():
        cells = []
        for item in begun:
            grade = item.grades.get(student)
            final = grade.final if grade else None
            cells += [
                "" if final is None else round(final, 6),
                grade.late if grade else "",
                item.state(student),
            ]
        total = [round(standing.points, 6), standing.possible]
        of_all = "" if standing.share is None else round(standing.share, 4)
        risks = "; ".join(standing.risks(rule))
        person = [student, standing.grade.first_name, standing.grade.last_name]
        rows.append([*person, *cells, *total, of_all, len(standing.missing), risks])
    return rows


def _page(root: Path, sets: list[Set], begun: list[Set], class_: dict[str, Standing], rule: Rule) -> str:
    zone = course_zone(root)
    at_risk = [
        [standing.name, "; ".join(risks)] for standing in class_.values() if (risks := standing.risks(rule))
    ]
    ahead = [f"{item.name}, due {shown(item.due, zone)}" for item in sets if item not in begun and item.due]
    rows = [
        [standing.name, *(_cell(item, student) for item in begun), _total(standing)]
        for student, standing in class_.items()
    ]
    heads = [_heading(root, item) for item in begun]
    parts = [
        (
            "At risk",
            (table(["student", "why"], at_risk) if at_risk else paragraph("Nobody."))
            + paragraph(
                f"At risk is who has {rule}. coursegrader overview --below {rule.below:g} --missing "
                f"{rule.missing} is this rule; other numbers make another. What waits for a mark does not "
                "count."
            ),
        ),
        ("How the problem sets went", _plot(begun)),
        (
            "Students and problem sets",
            table(["student", *heads, "so far"], rows)
            + paragraph("Points after the penalty for lateness. So far: of what is graded or missing."),
        ),
        ("Mistakes that stay", _lasting(root, begun)),
    ]
    opening = f"{counted(len(class_), 'student')}, {len(begun)} of {counted(len(sets), 'problem set')}."
    opening += f" Still ahead: {'; '.join(ahead)}." if ahead else ""
    return page(f"{root.name}: the term so far", parts, opening)


def _heading(root: Path, item: Set) -> Markup | str:
    report = Path(item.name) / "report.html"
    return anchor(str(report), item.name) if (root / "reports" / report).is_file() else item.name


def _cell(item: Set, student: str) -> Markup | str:
    grade = item.grades.get(student)
    if grade is None or grade.score is None:
        return item.state(student)
    late = f"late: {grade.late}" if grade.late else ""
    if grade.final is None:
        return ", ".join(filter(None, (f"{grade.score:g}, not yet marked", late)))
    return share(grade.final / item.most if item.most else 0) + (
        Markup("<br>{:g} of {:g}").format(grade.final, item.most)
        + (Markup("<br>{}").format(late) if late else "")
    )


def _total(standing: Standing) -> Markup | str:
    return "" if standing.share is None else share(standing.share)


def _plot(begun: list[Set]) -> Markup:
    """For each problem set, each final score as a dot, and the median."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(5, 1.2 * len(begun) + 1.5), 3.2))
    axes, said = figure.subplots(), []
    for place, item in enumerate(begun):
        finals = sorted(grade.final for grade in item.grades.values() if grade.final is not None)
        if not finals or not item.most:
            continue
        heights = [100 * final / item.most for final in finals]
        middle = statistics.median(heights)
        sides = [
            ((number * 7) % 11 - 5) / 40 for number in range(len(heights))
        ]  # so that equal ones are seen
        axes.plot([place + side for side in sides], heights, "o", color="#3b8ec2", alpha=0.8, markersize=5)
        axes.plot([place - 0.3, place + 0.3], [middle, middle], color="#d55e00", linewidth=2.5)
        said.append(f"{item.name}: median {middle:.0f}% of the points, {len(finals)} scores")
    axes.set_xticks(range(len(begun)), [item.name for item in begun], rotation=20, ha="right", color=TEXT)
    axes.set_ylabel("points reached (%)", color=TEXT)
    axes.set_ylim(-4, 104)
    axes.tick_params(colors=TEXT)
    for spine in axes.spines.values():
        spine.set_color(TEXT)
    return drawing(figure, "; ".join(said)) + paragraph(
        "A dot is a student's final score, the bar the median. Who is missing or not yet marked is not in it."
    )


def _lasting(root: Path, begun: list[Set]) -> Markup:
    """Mistakes of one name that a student made in two problem sets or more."""
    made: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)  # (mistake, student): set, message
    for item in begun:
        for student, verdicts in read_verdicts(ProblemSet(root, item.name)).items():
            for verdict in verdicts:
                if (kind := verdict["misconception"]) and kind not in FAILURES:
                    made[kind, student][item.name] = f"{verdict['exercise']}: {verdict['message']}"
    lasting: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for (kind, student), where in made.items():
        if len(where) > 1:
            lasting[kind][student] = where
    rows = []
    for kind, students in sorted(lasting.items(), key=lambda entry: -len(entry[1])):
        names = sorted({name for where in students.values() for name in where})
        last = next(where[names[-1]] for where in students.values() if names[-1] in where)
        who = fold(str(len(students)), ", ".join(sorted(students)))
        rows.append([who, kind.replace("-", " "), ", ".join(names), last])
    heads = ["students", "mistake", "problem sets", "what the last one said"]
    return (table(heads, rows) if rows else paragraph("None.")) + paragraph(
        "A mistake stays where a student is told one of the same name in two problem sets or more."
    )
