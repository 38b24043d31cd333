"""Late work: who is late by how much, and what it costs. No submission is run again for it.

Whatever is changed afterwards, a due date, an extension or the rule, the penalties of all submissions follow
from what holds now: `settle` gives them anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor
from traitlets import Enum, Float, Int, TraitError

from coursegrader.course.dates import extensions
from coursegrader.errors import UserError
from coursegrader.submissions.files import time_of
from coursegrader.text import counted

SECONDS = {"hour": 3600, "day": 86400}


class LatePenalty(LateSubmissionPlugin):
    """nbgrader's rule, or a share of the points possible for each hour or day that has begun, up to a cap."""

    penalty_method = Enum(
        ("none", "zero", *SECONDS), "none", help="none, zero (no points for late work), hour or day"
    ).tag(config=True)
    percent = Float(10, min=0, max=100, help="of the points possible, for each hour or day begun").tag(
        config=True
    )
    most = Float(100, min=0, max=100, help="percent of the points possible that are taken at most").tag(
        config=True
    )
    grace_days = Int(
        0, min=0, help="days of lateness in the term that cost a student nothing, used in order of due dates"
    ).tag(config=True)
    points_possible = 0.0  # of the notebook that is asked about

    def __str__(self) -> str:
        """The rule, in words."""
        if self.penalty_method not in SECONDS:
            said = "costs nothing" if self.penalty_method == "none" else "has no points"
        else:
            said = f"costs {self.percent:g}% of the points possible for each {self.penalty_method} begun"
            said += f", at most {self.most:g}%" if self.most < 100 else ""
        free = f"; {counted(self.grace_days, 'day')} free for each student" if self.grace_days else ""
        return f"Late work {said}{free}."

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        """The points that are taken; None for none."""
        if self.penalty_method not in SECONDS:
            return super().late_submission_penalty(student_id, score, total_seconds_late)
        begun = math.ceil(total_seconds_late / SECONDS[self.penalty_method])
        return self.points_possible * min(begun * self.percent, self.most) / 100


@dataclass(frozen=True)
class Late:
    """How late a submission is, its extension counted, and how many of those days are free."""

    seconds: float = 0
    free_days: int = 0

    @property
    def charged(self) -> float:
        """The seconds that count."""
        return max(0, self.seconds - self.free_days * SECONDS["day"])

    def __str__(self) -> str:
        """2 days 3 h, and what of it is free; empty where it is not late."""
        if not self.seconds:
            return ""
        days, minutes = divmod(max(1, round(self.seconds / 60)), 24 * 60)
        parts = (counted(days, "day"), f"{minutes // 60} h", f"{minutes % 60} min")
        text = " ".join(part for part in parts if not part.startswith("0 "))
        return f"{text}, {counted(self.free_days, 'day')} of it free" if self.free_days else text


def said_of(late: Late | str, penalty: float) -> str:
    """What a student is told of it; empty where it costs neither points nor a free day."""
    by = f" by {late}" if str(late) else ""
    if not penalty and not (isinstance(late, Late) and late.seconds and late.free_days):
        return ""
    return f"Late{by}. Points taken for it: {penalty:g}."


def lateness(submissions: Iterable[SubmittedAssignment], grace_days: int) -> dict[str, Late]:
    """Of one student's submissions, by problem set. A due time is a minute, and ends with its last second."""
    found = {}
    for item in sorted(submissions, key=lambda item: (item.assignment.duedate or datetime.max, item.name)):
        seconds = item.total_seconds_late if item.total_seconds_late >= 60 else 0
        free = min(grace_days, math.ceil(seconds / SECONDS["day"]))
        grace_days -= free
        found[item.name] = Late(seconds, free)
    return found


class Penalties:
    """What late work costs, by the course's configuration. Whoever changes something commits."""

    def __init__(self, config):
        try:
            step = AssignLatePenalties(config=config)
            step.init_plugin()
        except TraitError as error:
            raise UserError(f"nbgrader_config.py cannot be used: {error}") from error
        self.rule = step.plugin_inst
        self.coursedir = CourseDirectory(config=config)

    @property
    def grace_days(self) -> int:
        """Of each student."""
        return getattr(self.rule, "grace_days", 0)

    def settle(self, gradebook: Gradebook, student: str | None = None, granted: dict | None = None) -> None:
        """Give each submission its extension, the time of its ``timestamp.txt``, and its penalty.

        student: only this one. granted: the extensions, where they are not those written down.
        """
        granted = extensions(Path(self.coursedir.root)) if granted is None else granted
        for person in [gradebook.find_student(student)] if student else gradebook.students:
            for item in person.submissions:
                self._mend(item, granted.get(item.name, {}).get(person.id))
            late = lateness(person.submissions, self.grace_days)
            for item in person.submissions:
                for notebook in item.notebooks:
                    notebook.late_submission_penalty = self._penalty(notebook, late[item.name].charged)

    def _mend(self, item: SubmittedAssignment, granted: datetime | None) -> None:
        if item.assignment.duedate is None:
            item.extension = None  # nbgrader would add it to nothing
        elif granted is not None:
            item.extension = max(granted - item.assignment.duedate, timedelta())
        folder = Path(self.coursedir.root) / "submitted" / item.student.id / item.name
        if folder.is_dir():
            item.timestamp = time_of(folder)

    def _penalty(self, notebook, seconds: float) -> float | None:
        if not seconds:
            return None
        self.rule.points_possible = notebook.max_score
        penalty = self.rule.late_submission_penalty(notebook.student.id, notebook.score, seconds)
        return None if penalty is None else min(max(0.0, penalty), notebook.score)


class LatePenalties(NbGraderPreprocessor):
    """`Penalties` as nbgrader's step, in the place of its own."""

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            Penalties(self.config).settle(gradebook, about["student"])
            gradebook.db.commit()
        return nb, resources
