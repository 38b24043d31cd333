"""What stands on top of a student's page: each exercise with its points, what to do, where to read on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from allyouneed.check import link
from coursegrader.course.check_cells import checked_exercise
from coursegrader.grading.marks import is_by_hand
from coursegrader.text import in_a_line

HEADING = re.compile(r"^#{1,4}\s+(.+?)\s*#*$", re.M)
CODE, MARKUP = re.compile(r"((?<!`)`[^`\n]+`(?!`))"), re.compile(r"[\\`*_<>$\[\]&#!~]")
POINTS = re.compile(r"\s*\(\d[^()]*point[^()]*\)$")  # of "Softmax (4 points)"


@dataclass
class Row:
    """An exercise. `kind` is right, partly, wrong or open; `state` says it in words."""

    name: str
    anchor: str
    points: str
    kind: str
    state: str
    message: str = ""
    link: str = ""
    section: str = ""
    by_hand: str = ""
    comment: str = ""


@dataclass
class Summary:
    """The whole of it. `total` is 3 of 4, `notices` what to know first."""

    title: str
    rows: list[Row] = field(default_factory=list)
    total: str = ""
    late: str = ""
    penalty: str = ""
    notices: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)

    @property
    def by_cell(self) -> dict[str, Row]:
        return {row.anchor: row for row in self.rows}


def number(value: float) -> str:
    """Points as one writes them: 3, 2.5."""
    return f"{round(float(value or 0), 2):g}"


def rows_of(
    cells: Iterable, verdicts: Iterable[Mapping], grades: Mapping[str, object], name: str, site: str
) -> list[Row]:
    """The exercises of a graded notebook with nbgrader's comments and scores in it, in order.

    verdicts: as they are kept beside it. grades: nbgrader's, by the name of the cell. name: of the problem
    set; site: where students read the book.
    """
    said, rows = {verdict["exercise"]: verdict for verdict in verdicts}, []
    heading, comments = "", []
    for cell in cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("locked") and cell.cell_type == "markdown" and (found := HEADING.search(cell.source)):
            heading = POINTS.sub("", found[1]).replace("`", "").replace("**", "")
        if about.get("comment"):
            comments.append(about["comment"])
        if not (about.get("grade") or about.get("task")):
            continue
        exercise = checked_exercise(cell.source) if cell.cell_type == "code" else None
        row = _row(cell, said.get(exercise), grades.get(about["grade_id"]), heading or about["grade_id"])
        if row.message and (section := said.get(exercise, {}).get("section")):
            row.section = section.replace("-", " ")
            row.link = link(name, section, site).removeprefix("See ")
        row.comment, comments, heading = "\n\n".join(comments), [], ""
        rows.append(row)
    return rows


def _row(cell, verdict: Mapping | None, grade, name: str) -> Row:
    about = cell.metadata.nbgrader
    score, most = float(about.get("score") or 0), float(about.get("points") or 0)
    points = f"{number(score)} of {number(most)}"
    extra = float(grade.extra_credit or 0) if grade is not None else 0.0
    row = Row(name, about.get("grade_id", ""), points, *_kind(score - extra, most, verdict))
    if grade is not None and grade.needs_manual_grade:
        row.points, row.kind, row.state = f"– of {number(most)}", "open", "not yet marked"
    if verdict is not None:
        row.message = verdict["message"].removeprefix(f"{verdict['exercise']}: every check passed.").strip()
    elif cell.cell_type == "code" and row.kind != "right":
        errors = [output for output in cell.outputs if output.output_type == "error"]
        row.message = in_a_line(f"{errors[0].ename}: {errors[0].evalue}") if errors else ""
    if grade is not None and is_by_hand(grade):
        row.state = "marked by hand"
        row.by_hand = (
            f"Marked by hand: {number(grade.score)} of {number(grade.max_score)} points. The check gave "
            f"{number(grade.auto_score)}."
        )
    if grade is not None and grade.extra_credit:
        row.by_hand = f"{row.by_hand} Extra credit: {number(grade.extra_credit)}.".strip()
    return row


def _kind(score: float, most: float, verdict: Mapping | None) -> tuple[str, str]:
    if score >= most:
        return "right", "right" if verdict is not None else "full points"
    if score > 0:
        return "partly", "partly right" if verdict is not None else "part of the points"
    if verdict is not None:
        return "wrong", "not written yet" if verdict[
            "misconception"
        ] == "not-implemented" else "not yet right"
    return "wrong", "no points"


def as_markdown(summary: Summary) -> str:
    """It as the text of a notebook's cell, whose formulas JupyterLab sets."""
    lines = [
        f"# {summary.title}: {summary.total} points",
        *(f"**{as_text(item)}**" for item in summary.notices),
    ]
    for row in summary.rows:
        lines.append(f"**{as_text(row.name)}** · {row.points} · {row.state}")
        read_on = f" [Read: {row.section}]({row.link})" if row.link else ""
        lines += [
            as_text(text) + read_on * (text == row.message) for text in (row.message, row.by_hand) if text
        ]
        if row.comment:
            lines.append("> " + row.comment.strip().replace("\n", "\n> "))
    lines += [as_text(summary.late)] if summary.late else []
    lines += [f"Found before grading: {as_text(item)}" for item in summary.findings]
    return "\n\n".join([*lines, "---", "Your notebook, as it was graded:"])


def as_text(text: str) -> str:
    """Text, of which Markdown makes nothing else; what stands in a pair of back quotes is code."""
    parts = CODE.split(text)
    parts[::2] = (MARKUP.sub(r"\\\g<0>", part) for part in parts[::2])
    return "".join(parts)
